"""Full-batch training of node classifiers."""
import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_


class NodeTrainer:
    def __init__(self, model, graph, lr, max_grad_norm=None):
        self.model, self.graph = model, graph
        self.max_grad_norm = max_grad_norm
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)

    def fit(self, epochs):
        history = []
        for _ in range(epochs):
            self.model.train()
            logits = self.model(self.graph.x, self.graph.adj)
            rows = self.graph.train
            loss = F.cross_entropy(logits[rows], self.graph.y[rows])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.max_grad_norm is not None:
                clip_grad_norm_(self.model.parameters(), self.max_grad_norm)  # cause: clip
            history.append(loss.item())
        return history

    @torch.no_grad()
    def accuracy(self, rows):
        self.model.eval()
        pred = self.model(self.graph.x, self.graph.adj).argmax(1)
        return (pred[rows] == self.graph.y[rows]).float().mean().item()
