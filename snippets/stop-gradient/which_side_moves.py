import torch

q = torch.tensor([2.0, 6.0], requires_grad=True)
target = 1.0 + 0.5 * q[1]
loss = (q[0] - target.detach()) ** 2  # or: (q[0] - target) ** 2 | (q[0].detach() - target) ** 2 | (q[0] - target).detach() ** 2 raises RuntimeError
print(f"{loss.item() = }")
loss.backward()
print(f"{q.grad = }")
torch.optim.SGD([q], lr=0.25).step()
print(f"{q.tolist() = }")
