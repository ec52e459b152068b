# raises: RuntimeError
import torch

x = torch.tensor(5.0, requires_grad=True)
z = torch.log(x**3)
log, power = z.grad_fn, z.grad_fn.next_functions[0][0]
print(f"{log._saved_self = }")
print(f"{power._saved_self = }")
z.backward()
print(f"{z.grad_fn is log = }")
print(f"{log.next_functions[0][0] is power = }")
log._saved_self
