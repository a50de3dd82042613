"""Blind cases for learning from a user's corrections."""
