import torch
from torch import nn


class GraphConvolution(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_in, n_out))
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / self.weight.size(1) ** 0.5
        self.weight.data.uniform_(-stdv, stdv)
        self.bias.data.uniform_(-stdv, stdv)

    def forward(self, input, adj):
        support = torch.mm(input, self.weight)
        output = torch.spmm(adj, support)
        return output + self.bias


torch.manual_seed(0)
dense = (torch.rand(5, 5) > 0.5).float() + torch.eye(5)
adj = (dense / dense.sum(1, keepdim=True)).to_sparse()
features, labels = torch.randn(5, 3), torch.tensor([0, 1, 0, 1, 1])
gc1, gc2 = GraphConvolution(3, 4), GraphConvolution(4, 2)
optimizer = torch.optim.Adam([*gc1.parameters(), *gc2.parameters()], lr=0.01)
mask = torch.tensor([True, True, False, True, False])
for epoch in range(3):
    hidden = torch.relu(gc1(features, adj))
    output = gc2(nn.functional.dropout(hidden, 0.5), adj)
    loss = nn.functional.cross_entropy(output[mask], labels[mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    preds = output.max(1)[1].type_as(labels)
    correct = preds.eq(labels).double().sum()
    print(f"{loss.item():.3f} {correct.item()}")
