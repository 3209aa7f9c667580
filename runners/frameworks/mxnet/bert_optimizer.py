"""What MXNet's optimizers lack for BERT: Adam with decoupled decay, and clipping by the global norm."""

import mxnet as mx
from mxnet import gluon


class AdamW(mx.optimizer.Optimizer):
    """Adam with decoupled weight decay, over MXNet's own operator, which leaves the bias correction to its caller.

    Loshchilov and Hutter, Decoupled Weight Decay Regularization, algorithm 2.
    """

    def __init__(self, learning_rate, beta1, beta2, epsilon, weight_decay):
        super().__init__(learning_rate=learning_rate, wd=weight_decay)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def create_state(self, index, weight):  # noqa: ARG002 - MXNet's signature
        return mx.nd.zeros_like(weight), mx.nd.zeros_like(weight)

    def update(self, index, weight, grad, state):
        self._update_count(index)
        steps, rate = self._index_update_count[index], self._get_lr(index)
        root = (1 - self.beta2**steps) ** 0.5
        mx.nd.contrib.adamw_update(
            weight,
            grad,
            *state,
            rescale_grad=self.rescale_grad,
            lr=rate * root / (1 - self.beta1**steps),
            eta=1,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon * root,  # beside the corrected second moment
            wd=rate * self._get_wd(index),
            out=weight,
        )


class ClippingTrainer(gluon.Trainer):
    """A trainer that clips the mean gradient of all processes by its global norm."""

    def __init__(self, params, optimizer, clip_norm, store):
        super().__init__(params, optimizer, kvstore=store, update_on_kvstore=False)
        self.clip_norm = clip_norm

    def step(self, batch_size, ignore_stale_grad=False):
        self.allreduce_grads()
        gradients = [parameter.grad() for parameter in self._params]
        # Up to the update these are sums over the batch. Looking whether the norm is finite would synchronise.
        gluon.utils.clip_global_norm(gradients, self.clip_norm * batch_size, check_isfinite=False)
        self.update(batch_size, ignore_stale_grad)
