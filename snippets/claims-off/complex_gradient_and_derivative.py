import torch

z = torch.tensor(3 + 4j, requires_grad=True)
holds = []
for f, derivative in (
    (lambda z: z * z, lambda z: 2 * z),
    (lambda z: z * 5, lambda z: torch.tensor(5 + 0j)),
):
    (g,) = torch.autograd.grad(f(z), z, torch.ones_like(z))
    print(f"{g = }, {derivative(z.detach()) = }")
    holds.append(torch.equal(g, derivative(z.detach())))
print(f"{holds = }")
