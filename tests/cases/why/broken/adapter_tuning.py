"""I print the grads of my LoRA layers and they are 0. everywhere, so the loss is the same number every epoch."""
import torch
import torch.nn as nn


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 4, alpha: int = 8):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.zeros(base.in_features, r))  # cause: zero-gradient
        self.lora_B = nn.Parameter(torch.zeros(r, base.out_features))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.lora_A @ self.lora_B) * self.scaling


class Backbone(nn.Module):
    def __init__(self, d=24, hidden=48, out=5):
        super().__init__()
        self.fc_in = nn.Linear(d, hidden)
        self.fc_mid = nn.Linear(hidden, hidden)
        self.fc_out = nn.Linear(hidden, out)

    def forward(self, x):
        x = torch.tanh(self.fc_in(x))
        x = torch.tanh(self.fc_mid(x))
        return self.fc_out(x)


def inject(model, r):
    for name, child in list(model.named_children()):
        if isinstance(child, nn.Linear):
            setattr(model, name, LoRALinear(child, r=r))
        else:
            inject(child, r)
    return model


def run():
    torch.manual_seed(42)
    model = inject(Backbone(), r=4)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print("trainable:", sum(p.numel() for p in trainable))
    opt = torch.optim.AdamW(trainable, lr=1e-2, weight_decay=0.0)

    x = torch.randn(320, 24)
    teacher = torch.randn(24, 5)
    y = (x @ teacher).argmax(dim=1)

    for epoch in range(8):
        running = 0.0
        for i in range(0, len(x), 64):
            logits = model(x[i:i + 64])
            loss = nn.functional.cross_entropy(logits, y[i:i + 64])
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        biggest = max(p.grad.abs().max().item() for p in trainable)
        print(f"[{epoch}] loss={running / 5:.6f} max|grad|={biggest:.2e}")


run()
