import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
kept = w * 3
picked = kept.argmax()
scored = kept[picked]
scored.backward()
print(f"{w.grad = }")
