import torch

w = torch.ones(100, requires_grad=True)
h = 2 * w
kept = {
    "all": h.detach(),
    "one": h[0].detach(),
    "clone": h[0].detach().clone(),
}
holds = []
for name, tensor in kept.items():
    storage = tensor.untyped_storage().nbytes()
    print(f"{name:6}{tensor.nbytes = :4}  {storage = :4}")
    holds.append(storage == tensor.nbytes)
print(f"{holds = }")
