import torch

meta = torch.tensor(5.0, requires_grad=True)
w = meta.clone()  # or: meta raises RuntimeError
adam = torch.optim.Adam([w], lr=0.1, differentiable=True)
inner = w.clone() ** 2  # or: w**2 raises RuntimeError
(w.grad,) = torch.autograd.grad(inner, w, create_graph=True)
adam.step()
outer = (w - 3) ** 2
outer.backward()
print(f"{w.item() = :.3f}, {meta.grad.item() = :.3f}")
