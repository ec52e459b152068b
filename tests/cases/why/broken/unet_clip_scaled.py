"""With mixed precision on the loss hardly moved, after "Gradients are clipped before the unscaling"."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class UNet(nn.Module):
    def __init__(self, n_channels=1, n_classes=1, width=8):
        super().__init__()
        self.inc = nn.Conv2d(n_channels, width, 3, padding=1)
        self.down = nn.Conv2d(width, 2 * width, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.outc = nn.Conv2d(2 * width, n_classes, 1)

    def forward(self, x):
        x1 = F.relu(self.inc(x))
        x2 = F.relu(self.down(x1))
        return self.outc(torch.cat([x1, F.relu(self.up(x2))], dim=1))


@torch.inference_mode()
def evaluate(net, loader, device, amp):
    net.eval()
    right = total = 0
    with torch.autocast(device, dtype=torch.bfloat16, enabled=amp):
        for image, mask_true in loader:
            right += ((net(image) > 0) == (mask_true > 0.5)).sum().item()
            total += mask_true.numel()
    net.train()
    return right / total


def train_model(model, device, dataset, epochs=4, lr=0.5, amp=True, gradient_clipping=1.0):
    train_set, val_set = random_split(dataset, [64, 16])
    train_loader, val_loader = DataLoader(train_set, 8, shuffle=True), DataLoader(val_set, 8)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    grad_scaler = torch.amp.GradScaler(device, enabled=amp)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, epochs + 1):
        model.train()
        epoch_loss = 0
        for images, true_masks in train_loader:
            with torch.autocast(device, dtype=torch.bfloat16, enabled=amp):
                masks_pred = model(images)
                loss = criterion(masks_pred.float(), true_masks)
            optimizer.zero_grad(set_to_none=True)
            grad_scaler.scale(loss).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), gradient_clipping)  # cause: clip
            grad_scaler.step(optimizer)
            grad_scaler.update()
            epoch_loss += loss.item()
        score = evaluate(model, val_loader, device, amp)
        print(f"epoch {epoch}: loss {epoch_loss / len(train_loader):.4f}, validation accuracy {score:.3f}")


torch.manual_seed(468)
pictures = torch.randn(80, 1, 12, 12)
train_model(UNet(), "cpu", TensorDataset(pictures, (F.avg_pool2d(pictures, 3, 1, 1) > 0).float()))
