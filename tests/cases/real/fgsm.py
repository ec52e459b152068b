import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(9, 6), nn.ReLU(), nn.Linear(6, 3))
model.eval()


def fgsm_attack(image, epsilon, data_grad):
    sign_data_grad = data_grad.sign()
    perturbed_image = image + epsilon * sign_data_grad
    perturbed_image = torch.clamp(perturbed_image, 0, 1)
    return perturbed_image


def pgd(x, y, steps=2, alpha=0.1):
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(steps):
        loss = F.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = (delta + alpha * delta.grad.detach().sign()).clamp(-0.3, 0.3)
        delta.grad.zero_()
    return delta.detach()


adv_examples = []
for i in range(2):
    data, target = torch.rand(1, 3, 3), torch.tensor([i])
    data.requires_grad = True
    output = model(data)
    init_pred = output.max(1, keepdim=True)[1]
    loss = F.nll_loss(F.log_softmax(output, dim=1), target)
    model.zero_grad()
    loss.backward()
    data_grad = data.grad.data
    perturbed_data = fgsm_attack(data, 0.2, data_grad)
    final_pred = model(perturbed_data).max(1, keepdim=True)[1]
    adv_examples.append(perturbed_data.squeeze().detach().cpu().numpy())
    print(init_pred.item() == final_pred.item(), pgd(data.detach(), target).abs().max().item() <= 0.3)
