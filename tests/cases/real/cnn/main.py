import torch
from engine import evaluate, train_one_epoch
from models import build_model

torch.manual_seed(0)
model = build_model("resnet_tiny", num_classes=3)
params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=1e-4)
criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
data = [(torch.randn(2, 3, 8, 8), torch.tensor([0, 2])), (torch.randn(2, 3, 8, 8), torch.tensor([1, 1]))]

for epoch in range(2):
    loss = train_one_epoch(model, criterion, optimizer, data)
    print(f"epoch {epoch}: {loss:.4f}")
acc = evaluate(model, data)
print(f"accuracy {acc:.2f}")
stem = model.stem[0].weight
print(stem.grad is None, model.head.weight.grad.shape)
