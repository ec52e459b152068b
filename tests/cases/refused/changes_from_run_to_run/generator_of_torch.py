import torch

dice = torch.Generator()
dice.seed()
print(torch.rand(2, generator=dice))
