import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class CLIP(nn.Module):
    def __init__(self, image_dim, text_dim, embed_dim):
        super().__init__()
        self.visual = nn.Linear(image_dim, embed_dim, bias=False)
        self.textual = nn.Linear(text_dim, embed_dim, bias=False)
        self.logit_scale = nn.Parameter(torch.ones([]) * np.log(1 / 0.07))

    def forward(self, image, text):
        image_features = F.normalize(self.visual(image), dim=-1)
        text_features = F.normalize(self.textual(text), dim=-1)
        logits = self.logit_scale.exp() * image_features @ text_features.t()
        return logits, logits.t()


model = CLIP(6, 5, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
images, texts = torch.randn(3, 6), torch.randn(3, 5)
labels = torch.arange(3)
for epoch in range(2):
    per_image, per_text = model(images, texts)
    loss = (F.cross_entropy(per_image, labels) + F.cross_entropy(per_text, labels)) / 2
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        model.logit_scale.clamp_(0, np.log(100))
    print(f"{loss.item():.4f} {model.logit_scale.item():.4f}")
