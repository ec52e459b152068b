"""What was trained and is frozen for good."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.recording.limits import Limits
from weaver.why.findings import find

SOURCE = """import torch
from torch import nn
critic, policy = nn.Linear(2, 1), nn.Linear(2, 2)
optimizer = torch.optim.Adam([*critic.parameters(), *policy.parameters()])
for _ in range(4):
    optimizer.zero_grad()
    (critic(torch.ones(2, 2)) - policy(torch.ones(2, 2))).pow(2).mean().backward()
    optimizer.step()
    critic.requires_grad_(False)
    optimizer.zero_grad()
    critic(policy(torch.ones(2, 2))).mean().backward()
    optimizer.step()
    AGAIN
"""


@pytest.mark.parametrize(
    ("again", "found"), [("pass", [("note", "frozen", 9)]), ("critic.requires_grad_(True)", [])]
)
def test_what_is_frozen_and_never_trained_again_is_good_to_know(again, found):
    assert [one for one in said(SOURCE.replace("AGAIN", again)) if one[1] == "frozen"] == found


def test_what_a_schedule_freezes_is_meant():
    scheduled = SOURCE.replace("for _ in", "for i in").replace("grad_(False)", "grad_(i < 1)").replace("range(4)", "range(6)")
    assert [one for one in said(scheduled.replace("AGAIN", "pass")) if one[1] == "frozen"] == []


EMBEDDED = """import torch
from torch import nn
words = nn.Embedding.from_pretrained(torch.randn(5, 2)MORE)
head = nn.Linear(2, 1)
optimizer = torch.optim.SGD([*words.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    head(words(torch.arange(5))).pow(2).mean().backward()
    optimizer.step()
"""


def test_an_embedding_that_is_frozen_by_default_is_good_to_know_where_an_optimizer_holds_it():
    assert said(EMBEDDED.replace("MORE", "")) == [("note", "frozen_default", 3)]
    for more in (", freeze=True", ", freeze=False"):
        assert said(EMBEDDED.replace("MORE", more)) == []


def test_an_embedding_frozen_by_default_is_found_within_another_module():
    inside = EMBEDDED.replace("words = nn.Embedding.from_pretrained(torch.randn(5, 2)MORE)", "words = nn.Sequential(nn.Embedding.from_pretrained(torch.randn(5, 2)))")
    assert said(inside) == [("note", "frozen_default", 3)]


def test_an_embedding_frozen_by_default_is_found_though_nobody_watched_the_line_that_made_it():
    source = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding.from_pretrained(torch.randn(5, 2)MORE)
        self.head = nn.Linear(2, 1)
    def forward(self, x):
        return self.head(self.words(x))
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    net(torch.arange(5)).pow(2).mean().backward()
    optimizer.step()
"""
    for more, found in ("", [("default", 6)]), (", freeze=True", []):
        run = watched(Path("/program.py"), source.replace("MORE", more), Limits(acts=True, start="11"))
        assert [(one.case, one.line) for one in find(run) if one.name == "frozen"] == found
