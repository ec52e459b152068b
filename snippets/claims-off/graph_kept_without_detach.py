import torch


def g_after_each_step(detach):
    g = torch.tensor(2.0, requires_grad=True)
    d = torch.tensor(3.0, requires_grad=True)
    fake = g * torch.tensor(5.0)
    seen = fake.detach() if detach else fake
    grads = []
    for loss in (d * seen, 2 * d * fake):
        loss.backward(retain_graph=True)
        grads.append(g.grad and g.grad.item())
    return grads


print(f"{g_after_each_step(detach=True) = }")
print(f"{g_after_each_step(detach=False) = }")
holds = g_after_each_step(True) == g_after_each_step(False)
print(f"{holds = }")
