"""Speed and size, measured: `python -m tests.bench [--full] [--check]`."""
