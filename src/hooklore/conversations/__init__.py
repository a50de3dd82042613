"""Conversations of chats: messages come in as turns, each with its author and its time."""
