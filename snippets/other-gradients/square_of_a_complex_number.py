import torch

z = torch.tensor(3 + 4j, requires_grad=True)
y = z * z
y.backward(torch.tensor(1 + 0j))
print(f"{z.grad = }\n{2 * z.detach() = }")
