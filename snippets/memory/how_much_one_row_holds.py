import torch

features = torch.zeros(1000, 10)  # values of 1000: 10, 100, 1000, 10000
kept = features[0].detach()  # or: features[0].detach().clone() | features[[0]].detach()
del features
print(f"{kept.nbytes = }")
print(f"{kept.untyped_storage().nbytes() = }")
