import torch

x = torch.tensor(2.0, requires_grad=True)
written = []


def note(leaf):
    written.append(leaf.grad.item())


x.register_post_accumulate_grad_hook(note)
z = x**3 + 5 * x
z.backward()
print(f"{written = }")
holds = len(written) == 2
print(f"{holds = }")
