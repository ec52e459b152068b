import torch
from model import PINN, residual

torch.manual_seed(0)
model = PINN()
t_boundary = torch.tensor(0.0).view(-1, 1).requires_grad_(True)
t_physics = torch.linspace(0, 1, 5).view(-1, 1).requires_grad_(True)
optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(3):
    optimiser.zero_grad()
    u = model(t_boundary)
    loss1 = (torch.squeeze(u) - 1) ** 2
    dudt = torch.autograd.grad(u, t_boundary, torch.ones_like(u), create_graph=True)[0]
    loss2 = (torch.squeeze(dudt) - 0) ** 2
    loss3 = torch.mean(residual(model, t_physics) ** 2)
    loss = loss1 + 1e-1 * loss2 + 1e-2 * loss3
    loss.backward()
    optimiser.step()
    if i % 2 == 0:
        u = model(t_physics).detach()
        print(i, f"{loss.item():.3f}", u.shape)
