import torch

features = torch.zeros(1000, 10)
first = features[0].detach()
copy = features[0].detach().clone()

print(f"{first.nbytes = }, {copy.nbytes = }")
print(f"{first.untyped_storage().nbytes() = }")
print(f"{copy.untyped_storage().nbytes() = }")
