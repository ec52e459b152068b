"""A naive Bayes label model that's learned without gold labels."""
import torch
from torch import nn


class NaiveBayes(nn.Module):
    def __init__(self, num_classes, num_lfs):
        super().__init__()
        self.num_classes = num_classes
        self.accuracy = nn.Parameter(torch.full((num_lfs,), 1.0))
        self.propensity = nn.Parameter(torch.zeros(num_lfs))
        self.class_prior = nn.Parameter(torch.zeros(num_classes))

    def forward(self, votes):
        classes = torch.arange(1, self.num_classes + 1)
        hit = (votes.unsqueeze(2) == classes).float()
        voted = (votes > 0).float().unsqueeze(2)
        log_acc = nn.functional.logsigmoid(self.accuracy)[None, :, None]
        log_err = nn.functional.logsigmoid(-self.accuracy)[None, :, None]
        log_vote = nn.functional.logsigmoid(self.propensity)[None, :, None]
        log_skip = nn.functional.logsigmoid(-self.propensity)[None, :, None]
        each = voted * (log_vote + hit * log_acc + (1 - hit) * log_err) + (1 - voted) * log_skip
        return each.sum(dim=1) + torch.log_softmax(self.class_prior, dim=0)

    def estimate_label_model(self, votes, config):
        optimizer = torch.optim.SGD(self.parameters(), lr=config.step_size, momentum=config.momentum)
        for epoch in range(config.epochs):
            running_loss = 0.0
            batches = votes[torch.randperm(len(votes))].split(config.batch_size)
            for batch in batches:
                optimizer.zero_grad()
                loss = -torch.logsumexp(self(batch), dim=1).mean()
                loss.backward()
                optimizer.step()
                running_loss += loss  # cause: growing-graph
            print(f"epoch {epoch + 1}/{config.epochs}  train loss {running_loss / len(batches):.4f}")

    @torch.no_grad()
    def get_label_distribution(self, votes):
        return torch.softmax(self(votes), dim=1)

    def get_accuracies(self):
        return torch.sigmoid(self.accuracy.detach()).tolist()
