import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
student = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Dropout(0.1), nn.Linear(8, 3))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad_(False)
teacher.eval()
optimizer = torch.optim.AdamW(student.parameters(), lr=1e-2)
T, alpha, momentum = 2.0, 0.5, 0.99


def distillation_loss(student_logits, teacher_logits, labels):
    soft = F.kl_div(
        F.log_softmax(student_logits / T, dim=-1), F.softmax(teacher_logits / T, dim=-1), reduction="batchmean"
    )
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft * T**2 + (1 - alpha) * hard


@torch.no_grad()
def update_teacher():
    for ema, param in zip(teacher.parameters(), student.parameters()):
        ema.mul_(momentum).add_(param, alpha=1 - momentum)


for step in range(2):
    x, labels = torch.randn(5, 4), torch.randint(0, 3, (5,))
    with torch.no_grad():
        teacher_logits = teacher(x)
    loss = distillation_loss(student(x), teacher_logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    update_teacher()
    print(f"{loss:.4f}")
print(all(p.grad is None for p in teacher.parameters()))
