"""AdamW with weight decay only where it belongs."""
import torch

NO_DECAY = ("bias", "norm")


def build_optimizer(model, lr, weight_decay):
    named = list(model.named_parameters())
    decay = [p for n, p in named if not any(key in n for key in NO_DECAY)]
    no_decay = [p for n, p in named if any(key in n for key in NO_DECAY)]
    groups = [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr)
