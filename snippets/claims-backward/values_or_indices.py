import torch

x = torch.tensor([1.0, 7.0, 5.0], requires_grad=True)
outputs = {
    "max": x.max(0),
    "sort": x.sort(),
    "topk": x.topk(2),
}
holds = []
for name, (values, indices) in outputs.items():
    holds += [not values.requires_grad, not indices.requires_grad]
    (grad,) = torch.autograd.grad(values.sum(), x)
    print(f"{name}: {grad.tolist()}")
print(f"{holds = }")
