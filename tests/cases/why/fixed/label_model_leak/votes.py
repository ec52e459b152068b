"""Votes of labelling functions: 0 means no vote; 1 and 2 are the classes."""
import torch


def simulate_votes(num_items, accuracies, propensity=0.7):
    gold = torch.randint(0, 2, (num_items,))
    columns = []
    for accuracy in accuracies:
        right = torch.rand(num_items) < accuracy
        vote = torch.where(right, gold, 1 - gold) + 1
        vote[torch.rand(num_items) > propensity] = 0
        columns.append(vote)
    return torch.stack(columns, dim=1), gold
