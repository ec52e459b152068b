import torch


def gradient(dtype):
    x, w = torch.ones(1, 1), torch.ones(1, 1, requires_grad=True)
    with torch.autocast("cpu", dtype=dtype):
        h = x @ w
    (1e-8 * h.float()).sum().backward()  # values of 1e-8: 1e-45, 1e-40, 1e-20, 1e-8, 1e-7, 1e-4
    return w.grad.item()


float16, bfloat16 = gradient(torch.float16), gradient(torch.bfloat16)
print(f"{float16 = :.1e}\n{bfloat16 = :.1e}")
holds = [grad == 0 for grad in (float16, bfloat16)]
print(f"{holds = }")
