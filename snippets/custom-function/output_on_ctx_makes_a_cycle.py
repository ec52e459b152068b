import gc
import weakref

import torch
from torch.autograd import Function


class OnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.y = x.exp()
        return ctx.y


class Saved(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y


gc.disable()
x = torch.ones(3, requires_grad=True)
on_ctx = weakref.ref(OnCtx.apply(x))
saved = weakref.ref(Saved.apply(x))
print(f"{on_ctx() is None = }")
print(f"{saved() is None = }")
gc.collect()
print(f"{on_ctx() is None = }")
