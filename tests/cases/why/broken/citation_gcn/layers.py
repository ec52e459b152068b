"""Graph convolutions by hand, without torch_geometric."""
import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.conv1 = GraphConv(features, hidden)
        self.conv2 = GraphConv(hidden, classes)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x, adj):
        h = torch.relu(self.conv1(x, adj))
        return self.conv2(self.dropout(h), adj)
