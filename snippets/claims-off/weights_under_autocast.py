import torch

torch.manual_seed(0)
layer = torch.nn.Linear(2, 1)
with torch.autocast("cpu", dtype=torch.bfloat16):
    y = layer(torch.ones(1, 2))
y.float().sum().backward()
print(f"{y.dtype = }\n{layer.weight.dtype = }")
print(f"{layer.weight.grad.dtype = }")
kept = (layer.weight, layer.weight.grad)
holds = [t.dtype != torch.float32 for t in kept]
print(f"{holds = }")
