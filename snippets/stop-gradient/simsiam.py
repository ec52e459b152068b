import torch
from torch import nn
from torch.nn.functional import cosine_similarity, normalize


def spread(stop, head=True):
    torch.manual_seed(0)
    encoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4))
    predict = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
    online = nn.Sequential(encoder, predict) if head else encoder
    optimizer = torch.optim.SGD(online.parameters(), lr=3.0)
    data = torch.randn(32, 4)
    for _ in range(150):
        view1 = data + 0.1 * torch.randn(32, 4)
        view2 = data + 0.1 * torch.randn(32, 4)
        z = encoder(view2)
        target = z.detach() if stop else z
        loss = -cosine_similarity(online(view1), target).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return normalize(encoder(data)).std(0).mean().item()


stopped, unstopped = spread(stop=True), spread(stop=False)
no_head = spread(stop=True, head=False)
print(f"{stopped = :.1f}")
print(f"{unstopped = :.1f}")
print(f"{no_head = :.1f}")
