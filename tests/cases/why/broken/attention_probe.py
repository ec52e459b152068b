"""The hooks on the attention layers were never called, after "Hooks not working in version 2.0.1+cu118"."""
import copy

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.self_attention = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Linear(dim, dim)

    def forward(self, x):
        h = self.norm(x)
        h, _ = self.self_attention(h, h, h)
        return x + torch.relu(self.mlp(x + h))


class TinyViT(nn.Module):
    def __init__(self, patch=9, dim=16, depth=2, classes=3):
        super().__init__()
        self.embed = nn.Linear(patch, dim)
        self.blocks = nn.ModuleList(Block(dim, 2) for _ in range(depth))
        self.head = nn.Linear(dim, classes)

    def forward(self, patches):
        x = self.embed(patches)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


class AttentionRecorder:
    def __init__(self, model, attention_layer_name="self_attention"):
        self.model = copy.deepcopy(model)
        self.attentions = []
        for name, module in self.model.named_modules():
            if name.endswith(attention_layer_name):
                print(f"Module hook registered for: {name}")
                module.register_forward_hook(self.get_attention)  # cause: hook

    def get_attention(self, module, inputs, output):
        self.attentions.append(output[0].detach().norm().item())

    def clear(self):
        seen, self.attentions = self.attentions, []
        return seen


torch.manual_seed(23)
model = TinyViT()
recorder = AttentionRecorder(model)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
patches, classes = torch.randn(48, 4, 9), torch.arange(48) % 3
patches[torch.arange(48), :, classes] += 1.5

for it in range(20):
    loss = nn.functional.cross_entropy(model(patches), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    attentions = recorder.clear()
    if it % 5 == 0:
        print(f"iter {it} loss {loss.item():.4f} attention outputs seen: {len(attentions)}")
