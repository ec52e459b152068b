import torch


class Case:
    def __init__(self, detach, retain_graph=False):
        reached_g = []
        self.g = torch.tensor(2.0, requires_grad=True)
        self.g.register_hook(lambda grad: reached_g.append(grad.item()))
        d = torch.tensor(3.0, requires_grad=True)
        fake = self.g * torch.tensor(5.0)
        seen = fake.detach() if detach else fake
        (d * seen).backward(retain_graph=retain_graph)
        self.d_step = list(reached_g)
        try:
            (d * fake).backward()
            self.g_step = "ok"
        except RuntimeError as error:
            self.g_step = type(error).__name__


cases = {
    "D(fake.detach())": Case(detach=True),
    "D(fake)": Case(detach=False),
    "D(fake), retain_graph=True": Case(False, retain_graph=True),
}
print([len(case.d_step) for case in cases.values()])
