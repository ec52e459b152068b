import torch


def gradient(dtype, scale):
    x = torch.ones(1, 1)
    w = torch.ones(1, 1, requires_grad=True)
    with torch.autocast("cpu", dtype=dtype):
        h = x @ w
    loss = h.float().sum() * 1e-8
    (loss * scale).backward()
    return w.grad.item() / scale


f16, bf16 = torch.float16, torch.bfloat16
print(f"float16:         {gradient(f16, 1):.1e}")
print(f"float16, scaled: {gradient(f16, 2**16):.1e}")
print(f"bfloat16:        {gradient(bf16, 1):.1e}")
