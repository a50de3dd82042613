"""The resident broker: one process a store, started by the first hook, gone when idle."""
