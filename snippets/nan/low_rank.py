import torch

A = torch.tensor([[3.0, 0.0], [4.0, 0.0], [0.0, 0.0]])
w = torch.tensor([[1.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
first = lambda a: torch.linalg.svd(a).U[:, :1]
ways = {
    "from the vectors": lambda a: first(a) @ first(a).mT,
    "from the matrix": lambda a: a @ torch.linalg.pinv(a),
}
for name, projection in ways.items():
    a = A.clone().requires_grad_()
    P = projection(a)
    (P * w).sum().backward()
    print(f"{name:16}", P.diagonal().detach(), a.grad[:, 0])
