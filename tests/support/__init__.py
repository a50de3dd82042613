"""Helpers of the tests: agents, stores, disks and homes that tests build."""
