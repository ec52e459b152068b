import torch

a = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
saved = torch.optim.SGD([a, b], lr=0.1, momentum=0.9)
(3 * a + 50 * b).sum().backward()
saved.step()
loaded = torch.optim.SGD([b, a], lr=0.1, momentum=0.9)
loaded.load_state_dict(saved.state_dict())
print(f"{saved.state[a]['momentum_buffer'] = }")
print(f"{loaded.state[a]['momentum_buffer'] = }")
