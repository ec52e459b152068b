import torch

body = torch.tensor(3.0, requires_grad=True)
head = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([head], lr=0.1)
(body * head).backward()
optimizer.step()
print(f"{body = }\n{body.grad = }")
same_value, no_gradient = body.item() == 3, body.grad is None
holds = [same_value, no_gradient]
print(f"{holds = }")
