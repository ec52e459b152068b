"""The advantage had the shape (batch, batch) and the policy didn't get better, after "A3C Bug?"."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(104)
BATCH_SIZE, ENTROPY_BETA, N_ACTIONS = 32, 0.01, 4


class ContextualBandit:
    """The best action is the biggest of the first four numbers; the last one is luck."""

    def observe(self):
        self.state = torch.randn(BATCH_SIZE, 6)
        return self.state

    def reward(self, actions):
        return self.state[torch.arange(BATCH_SIZE), actions] + 5 * self.state[:, 5]

    def best_actions(self):
        return self.state[:, :N_ACTIONS].argmax(dim=1)


class AtariA2C(nn.Module):
    def __init__(self, n_obs, n_actions):
        super(AtariA2C, self).__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, 64), nn.ReLU())
        self.policy = nn.Linear(64, n_actions)
        self.value = nn.Linear(64, 1)

    def forward(self, x):
        h = self.body(x)
        return self.policy(h), self.value(h)


env = ContextualBandit()
net = AtariA2C(6, N_ACTIONS)
optimizer = torch.optim.Adam(net.parameters(), lr=0.005, eps=1e-3)
recent = []

for step_idx in range(300):
    states_v = env.observe()
    logits_v, value_v = net(states_v)
    probs_v = F.softmax(logits_v, dim=1)
    actions_t = torch.multinomial(probs_v.detach(), 1).squeeze(1)
    vals_ref_v = env.reward(actions_t)
    recent.append((actions_t == env.best_actions()).float().mean().item())

    loss_value_v = F.mse_loss(value_v.squeeze(-1), vals_ref_v)

    log_prob_v = F.log_softmax(logits_v, dim=1)
    adv_v = vals_ref_v - value_v.detach()  # cause: broadcast
    log_prob_actions_v = adv_v * log_prob_v[range(BATCH_SIZE), actions_t]
    loss_policy_v = -log_prob_actions_v.mean()
    entropy_loss_v = ENTROPY_BETA * (probs_v * log_prob_v).sum(dim=1).mean()

    optimizer.zero_grad()
    (loss_policy_v + loss_value_v + entropy_loss_v).backward()
    optimizer.step()

    if (step_idx + 1) % 60 == 0:
        best = sum(recent[-60:]) / 60
        shape = tuple(adv_v.shape)
        print("%d: best action %.3f, value loss %.3f, adv %s" % (step_idx + 1, best, loss_value_v.item(), shape))
