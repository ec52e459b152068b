import torch


def train(dtype):
    w = torch.ones(1, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.001)  # values: 0.0001, 0.001, 0.0019, 0.002, 0.003, 0.004
    for step in range(100):
        optimizer.zero_grad()
        w.sum().backward()
        optimizer.step()
    return w.item()


print(f"{train(torch.float32) = :.3f}")
print(f"{train(torch.bfloat16) = :.3f}")
print(f"{train(torch.float16) = :.3f}")
