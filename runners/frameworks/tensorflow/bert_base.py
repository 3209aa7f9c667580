"""BERT-Base pre-training: masked words and next sentence, in TensorFlow. Written out: it has no such model of its own."""

import tensorflow as tf
from tensorflow.keras import layers


# step: model
class Encoder(layers.Layer):
    """One of the twelve layers: self-attention and two dense layers, each normalised together with its input."""

    def __init__(self, settings):
        super().__init__()
        hidden, heads, dropout = settings["hidden"], settings["heads"], settings["dropout"]
        self.attention = layers.MultiHeadAttention(
            heads, hidden // heads, dropout=dropout, kernel_initializer=initial(settings)
        )
        self.attention_norm = normalisation(settings)
        self.intermediate = dense(settings["intermediate"], settings, "gelu")
        self.output_dense = dense(hidden, settings)
        self.output_norm = normalisation(settings)
        self.dropout = layers.Dropout(dropout)

    def call(self, states, mask, training=None):
        attended = self.attention(states, states, attention_mask=mask, training=training)
        states = self.attention_norm(states + self.dropout(attended, training=training))
        transformed = self.output_dense(self.intermediate(states))
        return self.output_norm(states + self.dropout(transformed, training=training))


# step: model
class Vocabulary(layers.Layer):
    """The projection onto all words: it shares the words' embedding and has a bias of its own."""

    def __init__(self, words):
        super().__init__()
        self.bias = self.add_weight(shape=(words,), initializer="zeros", name="bias")

    def call(self, states, embeddings):
        return tf.matmul(states, tf.cast(embeddings, states.dtype), transpose_b=True) + self.bias


# step: model
class Bert(tf.keras.Model):
    def __init__(self, settings):
        super().__init__()
        self.words, self.positions, self.types = (
            layers.Embedding(settings[kind], settings["hidden"], embeddings_initializer=initial(settings))
            for kind in ("vocabulary", "positions", "token_types")
        )
        self.norm = normalisation(settings)
        self.dropout = layers.Dropout(settings["dropout"])
        self.encoders = [Encoder(settings) for _ in range(settings["layers"])]
        self.pooler = dense(settings["hidden"], settings, "tanh")
        self.transform = dense(settings["hidden"], settings, "gelu")
        self.transform_norm = normalisation(settings)
        self.vocabulary = Vocabulary(settings["vocabulary"])
        self.follows = dense(2, settings)

    def call(self, words, types, mask, positions, training=None):
        """Return logits for the masked words (sample, position, word) and for the next sentence (sample, 2)."""
        states = self.words(words) + self.positions(tf.range(words.shape[1])) + self.types(types)
        states = self.dropout(self.norm(states), training=training)
        for encoder in self.encoders:
            states = encoder(states, mask[:, tf.newaxis], training=training)
        masked = tf.gather(states, positions, batch_dims=1)
        masked = self.transform_norm(self.transform(masked))
        return self.vocabulary(masked, self.words.embeddings), self.follows(self.pooler(states[:, 0]))


def dense(units, settings, activation=None):  # Keras' "gelu" is the exact one, by the error function
    return layers.Dense(units, activation, kernel_initializer=initial(settings))


def normalisation(settings):
    return layers.LayerNormalization(epsilon=settings["layer_norm_epsilon"])


def initial(settings):
    return tf.keras.initializers.RandomNormal(stddev=settings["initial_deviation"])


# step: model
def network(workload):
    settings = workload["network"]
    bert = Bert(settings)
    lengths = [settings["length"]] * 3 + [settings["predictions"]]
    bert(*(tf.keras.Input((length,), dtype="int64") for length in lengths))
    return bert


# step: loss
def loss(network, *batch, training):
    *inputs, missing, follows = batch
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    masked_words, next_sentence = network(*inputs, training=training)
    return cross_entropy(missing, masked_words) + cross_entropy(follows, next_sentence)


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    adam = tf.keras.optimizers.AdamW(
        settings["learning_rate"],
        weight_decay=settings["weight_decay"],
        beta_1=settings["beta1"],
        beta_2=settings["beta2"],
        epsilon=settings["epsilon"],
        global_clipnorm=settings["clip_norm"],
    )
    adam.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])  # gamma and beta: of layer normalisation
    return adam
