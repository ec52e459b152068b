import torch

torch.manual_seed(0)
scale = torch.tensor([1.0, 0.0], requires_grad=True)
shift = torch.zeros(2, requires_grad=True)
x = torch.tensor([2.0, 0.0])
with torch.autograd.detect_anomaly(check_nan=True):
    y = torch.sqrt(x * scale) + shift
    distance = (y * y).sum().sqrt()
    loss = distance / (1 - distance * 0)
    loss.backward()
