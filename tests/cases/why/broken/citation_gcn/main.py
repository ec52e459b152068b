"""Changing max_grad_norm from 0.5 to 100 gives exactly the same training curve for my graph network."""
import torch

from graph import planted_graph
from layers import GCN
from trainer import NodeTrainer


def run(max_grad_norm):
    torch.manual_seed(4)
    graph = planted_graph(nodes=90, classes=3, features=16, seed=4)
    model = GCN(features=16, hidden=24, classes=3)
    trainer = NodeTrainer(model, graph, lr=0.2, max_grad_norm=max_grad_norm)
    history = trainer.fit(epochs=25)
    print(f"max_grad_norm={max_grad_norm}: first {history[0]:.5f} last {history[-1]:.5f}"
          f" test acc {trainer.accuracy(graph.test):.3f}")


if __name__ == "__main__":
    run(0.5)
    run(100.0)
