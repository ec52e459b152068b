"""A part of a loss that trains nothing: no step uses the gradients of what it reaches."""

from pathlib import Path

import pytest
from support.why import said, watched

from weaver.why.findings import find_with_facts

SOURCE = """import torch
from torch import nn
torch.manual_seed(0)
maker, judge = nn.Linear(4, 4), nn.Linear(4, 3)
step_maker, step_judge = (torch.optim.SGD(net.parameters(), lr=0.1) for net in (maker, judge))
for i in range(3):
    real, fake = torch.ones(2, 4), maker(torch.randn(2, 4))
    similar = (judge(SAMPLE) - judge(real)).pow(2).mean()
    close = (fake - real).pow(2).mean()
    loss = close + similar
    step_maker.zero_grad()
    loss.backward()
    step_maker.step()
    judged = judge(fake.detach()).mean() - judge(real).mean()
    step_judge.RESET()
    judged.backward()
    step_judge.step()
"""


@pytest.mark.parametrize(
    ("sample", "reset", "found"),
    [
        ("fake.detach()", "zero_grad", [("wrong", "step_part", 12)]),
        ("fake", "zero_grad", []),  # which trains what made the sample
        ("fake.detach()", "state_dict", [("wrong", "accumulates", 16)]),  # a step uses the gradient
    ],
)
def test_a_part_of_a_loss_whose_gradients_are_always_reset_is_found(sample, reset, found):
    assert [one for one in said(SOURCE.replace("SAMPLE", sample).replace("RESET", reset)) if one[0] == "wrong"] == found


def test_what_such_a_part_reaches_is_not_told_again_as_a_fact():
    run = watched(Path("/program.py"), SOURCE.replace("SAMPLE", "fake.detach()").replace("RESET", "zero_grad"))
    told = [(one.name, one.fields["name"]) for one in find_with_facts(run) if one.case == "part"]
    assert told == [("step", "similar"), ("trained", "close")]


def test_where_all_gradients_are_reset_no_part_is_told():
    source = SOURCE.replace("SAMPLE", "fake.detach()").replace("RESET", "zero_grad")
    emptied = source.replace("    step_maker.step()\n", "    step_maker.zero_grad()\n    step_maker.step()\n")
    assert "step_part" not in [name for _, name, _ in said(emptied)]
