"""The policy's weights never change and the average reward stays flat (after "Weights are not updating")."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
VOCAB, HIDDEN, MAX_LEN, GAMMA = 9, 24, 8, 0.97


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Embedding(VOCAB, HIDDEN)
        self.cell = nn.GRUCell(HIDDEN, HIDDEN)
        self.decoder = nn.Linear(HIDDEN, VOCAB)

    def forward(self, token, hidden):
        hidden = self.cell(self.encoder(token), hidden)
        return self.decoder(hidden), hidden

    @torch.no_grad()
    def sample(self):
        tokens, hidden = [torch.randint(VOCAB, (1,))], torch.zeros(1, HIDDEN)
        for _ in range(MAX_LEN):
            logits, hidden = self(tokens[-1], hidden)
            tokens.append(torch.multinomial(logits.softmax(dim=1), 1).squeeze(1))
        return torch.cat(tokens)


class Reinforcement:
    def __init__(self, generator, lr=0.02):
        self.generator = generator
        self.optimizer = torch.optim.Adam(generator.parameters(), lr=lr)

    def get_reward(self, trajectory):
        return (trajectory[1:] % 3 == 0).float().mean().item() - 1 / 3

    def policy_gradient(self, n_batch=8):
        rl_loss = torch.zeros(1)
        total_reward = 0.0
        self.optimizer.zero_grad()
        for _ in range(n_batch):
            trajectory = self.generator.sample()
            reward = self.get_reward(trajectory)
            total_reward += reward
            discounted_reward, hidden = reward, torch.zeros(1, HIDDEN)
            for p in range(len(trajectory) - 1):
                logits, hidden = self.generator(trajectory[p:p + 1], hidden)
                log_probs = F.log_softmax(logits, dim=1)
                top_i = trajectory[p + 1]
                rl_loss -= log_probs[0, top_i].item() * discounted_reward  # cause: no-gradient
                discounted_reward *= GAMMA
        rl_loss = rl_loss / n_batch
        rl_loss.requires_grad_()
        rl_loss.backward()
        self.optimizer.step()
        return total_reward / n_batch, rl_loss.item()


if __name__ == "__main__":
    RL = Reinforcement(Generator())
    for i in range(25):
        reward, loss = RL.policy_gradient()
        if i % 6 == 0:
            print(f"iteration {i:3d}  reward {reward:.3f}  loss {loss:.3f}")
