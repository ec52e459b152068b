import torch
from torch import nn

torch.manual_seed(0)
activation, gradients = {}, {}


def get_activation(name):
    def hook(module, input, output):
        activation[name] = output.detach()

    return hook


def save_gradient(name):
    def hook(grad):
        gradients[name] = grad.clone()

    return hook


def backward_hook(module, grad_input, grad_output):
    print(type(module).__name__, grad_output[0].norm().item() > 0)


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3)
        self.fc = nn.Linear(2 * 4, 2)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x.register_hook(save_gradient("conv1"))
        x = torch.flatten(x, 1)
        return self.fc(x)


model = CNN()
handle = model.conv1.register_forward_hook(get_activation("conv1"))
model.fc.register_full_backward_hook(backward_hook)
for p in model.parameters():
    p.register_hook(lambda grad: grad.clamp(-0.1, 0.1))
image = torch.rand(1, 1, 4, 4, requires_grad=True)
scores = model(image)
scores[0, scores.argmax()].backward()
saliency, _ = image.grad.data.abs().max(dim=1)
handle.remove()
cam = (gradients["conv1"].mean(dim=(2, 3), keepdim=True) * activation["conv1"]).sum(1).relu()
print(saliency.shape, cam.shape)
epsilon = 0.1
sign_data_grad = image.grad.sign()
perturbed = torch.clamp(image + epsilon * sign_data_grad, 0, 1)
print(model(perturbed.detach()).argmax().item())
