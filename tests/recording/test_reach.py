"""Which tensors the names of a program lead to."""

import torch

from weaver.recording.limits import Limits
from weaver.recording.reach import Reach


def found(limits=Limits(), **names):  # noqa: B008
    return sorted(Reach({}, limits).find(names)[0])


def test_a_list_that_holds_the_list_around_it_is_looked_into_by_its_own_name():
    inner, outer = [], []
    inner.append(outer)
    outer += [inner, torch.ones(1)]
    assert found(outer=outer, other=[inner]) == ["other[0][0][1]", "outer[1]"]


def test_what_lies_too_deep_under_one_name_is_found_by_another():
    near = [[torch.ones(1)]]
    assert found(deep=[[[[near]]]], near=near) == ["near[0][0]"]


def test_a_list_of_numbers_that_ends_in_a_tensor_leads_to_it():
    assert found(mixed=[*range(20), torch.ones(1)]) == ["mixed[20]"]
    assert Reach({}, Limits()).find({"long": [*range(64), torch.ones(1)]})[1] == {"long": 1}
