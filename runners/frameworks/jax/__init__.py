"""JAX with Flax NNX and Optax."""
