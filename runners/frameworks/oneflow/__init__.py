"""OneFlow in eager mode."""
