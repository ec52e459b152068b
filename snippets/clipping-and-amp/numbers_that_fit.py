import torch

numbers = {"1e-8": 1e-8, "70000": 70000.0, "1 + 1/512": 1 + 1 / 512}
rows = {}
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    stored = torch.tensor(list(numbers.values()), dtype=dtype)
    shown = [f"{number:.6g}" for number in stored.tolist()]
    rows[dtype] = dict(zip(numbers, shown))
print(f"{rows[torch.float16] = }")
