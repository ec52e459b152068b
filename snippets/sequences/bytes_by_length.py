import torch


def kept(length, piece):
    x, h = torch.ones(1, 1), torch.zeros(1, 16)
    cell = torch.nn.RNNCell(1, 16)
    known = {t.data_ptr() for t in (x, *cell.parameters())}
    saved, most = {}, 0

    def pack(t):
        if t.data_ptr() not in known:
            saved[t.data_ptr()] = t
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        for step in range(length):
            if step % piece == 0:
                h = h.detach()
                saved.clear()
            h = cell(x, h)
            size = sum(t.nbytes for t in saved.values())
            most = max(most, size)
    return most


torch.manual_seed(0)
sizes = {f"{n} steps": kept(n, n) for n in (8, 16, 32)}
sizes["32 steps in pieces of 8"] = kept(32, 8)
print(f"{sizes = }")
