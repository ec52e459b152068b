import torch
from torch.nn import functional as F

for hard in (False, True):
    torch.manual_seed(0)
    scores = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    y = F.gumbel_softmax(scores, hard=hard)
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    print(f"{hard = }, {y.detach() = }")
    print(f"{scores.grad = }")
