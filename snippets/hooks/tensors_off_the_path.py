import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
calls = {}


def watch(name, tensor):
    def count(g):
        calls[name] += 1

    calls[name] = 0
    tensor.register_hook(count)


watch("earlier x * 2", x * 2)
y = x * 2
watch("x", x)
watch("y", y)
watch("y[0]", y[0])
watch("y.clone()", y.clone())
y.sum().backward()
print(calls)
