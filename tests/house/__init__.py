"""Measure the code: figures of the source tree, and the modules that one event passes through."""
