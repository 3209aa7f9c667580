"""TensorFlow: Keras layers, trained by a function that TensorFlow compiles into a graph."""
