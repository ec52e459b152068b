import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Linear(2, 1)
critic.load_state_dict(
    {"weight": torch.tensor([[3.0, 4.0]]), "bias": torch.zeros(1)}
)
real, fake = torch.randn(5, 2), torch.randn(5, 2)
share = torch.rand(5, 1)
between = (share * real + (1 - share) * fake).requires_grad_()

(g,) = torch.autograd.grad(
    critic(between).sum(), between, create_graph=True
)
norms = torch.linalg.vector_norm(g, dim=1)
penalty = (norms - 1).square().mean()
penalty.backward()
print(f"{norms.detach() = }\n{penalty.item() = }")
print(f"{critic.weight.grad = }\n{critic.bias.grad = }")
