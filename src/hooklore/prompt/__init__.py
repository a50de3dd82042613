"""Text that is shown to a model: frame, injection detection and neutralization."""
