import torch


def train(piece, length=8):
    w = torch.tensor(0.5, requires_grad=True)
    h = torch.zeros(())
    losses = []
    for step in range(length):
        if step % piece == 0:
            h = h.detach()
        h = w * h + 1
        losses.append(h)
        if step % piece == piece - 1:
            sum(losses).backward()
            losses.clear()
    return {"h": h.item(), "w.grad": w.grad.item()}


rows = {piece: train(piece) for piece in (1, 2, 4, 8)}
same = [rows[1][key] == rows[8][key] for key in ("h", "w.grad")]
print(f"{same = }")
