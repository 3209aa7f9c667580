"""PyTorch in eager mode."""
