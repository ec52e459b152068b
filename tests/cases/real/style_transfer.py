import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(0)


def gram_matrix(input):
    a, b, c, d = input.size()
    features = input.view(a * b, c * d)
    return torch.mm(features, features.t()).div(a * b * c * d)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()

    def forward(self, input):
        self.loss = F.mse_loss(input, self.target)
        return input


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram_matrix(target_feature).detach()

    def forward(self, input):
        self.loss = F.mse_loss(gram_matrix(input), self.target)
        return input


content_img, style_img = torch.rand(1, 3, 6, 6), torch.rand(1, 3, 6, 6)
cnn = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU()).eval().requires_grad_(False)
content_loss, style_loss = ContentLoss(cnn(content_img)), StyleLoss(cnn(style_img))
model = nn.Sequential(*cnn, content_loss, style_loss)
input_img = content_img.clone()
input_img.requires_grad_(True)
optimizer = optim.LBFGS([input_img], max_iter=3)
run = [0]
while run[0] <= 3:

    def closure():
        with torch.no_grad():
            input_img.clamp_(0, 1)
        optimizer.zero_grad()
        model(input_img)
        loss = 1000 * style_loss.loss + content_loss.loss
        loss.backward()
        run[0] += 1
        return loss

    optimizer.step(closure)
print(f"{style_loss.loss.item():.6f} {content_loss.loss.item():.6f}")
