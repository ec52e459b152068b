import torch
from torch.func import grad


def second(x):
    return grad(grad(lambda x: x**3))(x)


compiled = torch.compile(second, backend="aot_eager")
print(f"{compiled(torch.tensor(3.0)) = }")
