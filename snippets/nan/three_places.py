import torch


def place(start, f, dtype=torch.float32):
    w = torch.tensor(start, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.1)
    loss = f(w)
    loss.backward()
    optimizer.step()
    return [not t.isfinite().item() for t in (loss, w.grad, w)]


rows = {
    "loss": place(-1.0, lambda w: w.log()),
    "gradient": place(0.0, lambda w: (w**2).sqrt()),
    "step": place(0.0, lambda w: w**2, torch.float16),
}
for name, row in rows.items():
    print(name, *row)
