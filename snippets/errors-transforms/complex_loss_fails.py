# raises: RuntimeError
import torch

z = torch.tensor([3 + 4j, 1j], requires_grad=True)
loss = (z * z.conj()).sum()
print(f"{loss = }")
loss.backward()
