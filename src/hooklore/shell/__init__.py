"""Signatures of commands, errors and test outcomes."""
