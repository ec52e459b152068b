import torch
import torch.nn.functional as F


def second(f):
    torch.manual_seed(0)
    x = torch.rand(1, 1, 4, 4, requires_grad=True)
    try:
        y = f(x).square().sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        g.square().sum().backward()
        return "ok"
    except RuntimeError as error:
        return f"{error}".split(". ")[0]


found, one = {}, torch.tensor([1])
for name, f in {
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x),
    "cdist": lambda x: torch.cdist(x, 2 * x),
    "ctc_loss": lambda x: F.ctc_loss(
        x[0, 0, :, None].log_softmax(-1), one[None], (4,), (1,)
    ),
    "embedding_bag": lambda x: F.embedding_bag(one, x[0, 0], one - 1),
    "LSTM": lambda x: torch.nn.LSTM(4, 4)(x[0])[0],
    "conv2d": lambda x: F.conv2d(x, x[:, :, :2, :2]),
    "max_pool2d": lambda x: F.max_pool2d(x, 2),
}.items():
    found[name] = second(f)
print([name for name in found if found[name] == "ok"])
