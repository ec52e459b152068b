"""The process ran out of memory on a big training set, with no exception, after "Memory leak in training loop"."""
import torch

from config import LearningConfig
from label_model import NaiveBayes
from votes import simulate_votes


def main():
    torch.manual_seed(11)
    config = LearningConfig(epochs=5, batch_size=20, step_size=0.05)
    votes, gold = simulate_votes(num_items=600, accuracies=[0.9, 0.8, 0.75, 0.6, 0.85])
    model = NaiveBayes(num_classes=2, num_lfs=votes.shape[1])
    model.estimate_label_model(votes, config)

    guess = model.get_label_distribution(votes).argmax(dim=1)
    print("accuracy of the labels:", (guess == gold).float().mean().item())
    print("accuracies learned:", [round(a, 2) for a in model.get_accuracies()])


if __name__ == "__main__":
    main()
