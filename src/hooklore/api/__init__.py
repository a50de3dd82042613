"""Memory for Python programs, and for chats that a program serves."""
