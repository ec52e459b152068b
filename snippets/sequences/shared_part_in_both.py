import torch

shared = torch.tensor(1.0, requires_grad=True)
a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
first = torch.optim.SGD([shared, a], lr=0.1)
second = torch.optim.SGD([shared, b], lr=0.1)
loss = shared * a + shared * b
loss.backward()
first.step()
second.step()
print(f"{shared.grad = }")
print(f"{shared.item() = :.1f}")
