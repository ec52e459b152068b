import torch

reward, action = 3.0, 0


def gradients(stop):
    scores = torch.zeros(2, requires_grad=True)
    value = torch.tensor(1.0, requires_grad=True)
    advantage = reward - value
    weight = advantage.detach() if stop else advantage
    policy_loss = -torch.log_softmax(scores, 0)[action] * weight
    (policy_loss + advantage**2).backward()
    return scores.grad, value.grad


print(f"{gradients(stop=True) = }")
print(f"{gradients(stop=False) = }")
