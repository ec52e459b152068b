"""What a tensor or a node is, asked of torch's own code, whatever the program made of it.

A subclass may have a `shape` of its own, a program may replace `torch.Tensor.tolist`, and a custom function
may write `ctx.name = "cube"`: each function here is torch's, taken when the recorder was loaded. Tensors are
to be read while `__torch_function__` is switched off.
"""

from typing import Any

import torch
from torch.autograd.function import BackwardCFunction
from torch.autograd.graph import Node as GraphNode

from weaver.recording.objects import BUILTINS as __builtins__  # noqa: F401
from weaver.recording.objects import class_name

Tensor, Module, STRIDED, SPARSE = torch.Tensor, torch.nn.Module, torch.strided, torch.sparse_coo
Base = next(base for base in Tensor.__mro__ if "grad_fn" in vars(base))  # whose methods are C
CustomNode = next(base for base in BackwardCFunction.__mro__ if "next_functions" in vars(base))

grad_fn = Base.grad_fn.__get__
grad = Base.grad.__get__
shape = Base.shape.__get__
dtype = Base.dtype.__get__
device = Base.device.__get__
layout = Base.layout.__get__
requires_grad = Base.requires_grad.__get__
is_leaf = Base.is_leaf.__get__
is_meta = Base.is_meta.__get__
is_nested = Base.is_nested.__get__
retains_grad = Base.retains_grad.__get__
output_number = Base.output_nr.__get__
base = Base._base.__get__

aminmax = Base.aminmax
is_complex = Base.is_complex
is_floating_point = Base.is_floating_point
is_inference = Base.is_inference
isfinite = Base.isfinite
isnan = Base.isnan
is_contiguous = Base.is_contiguous
is_neg = Base.is_neg
item = Base.item
masked_select = Base.masked_select
mean = Base.mean
numel = Base.numel
set_storage = Base.set_
storage_offset = Base.storage_offset
stride = Base.stride
sum_of = Base.sum
count_nonzero = Base.count_nonzero
data_ptr = Base.data_ptr
element_size = Base.element_size
coalesce = Base.coalesce
sparse_values = Base._values
to_dense = Base.to_dense
tolist = Base.tolist
untyped_storage = Base.untyped_storage


def is_tensor(value: Any) -> bool:
    """Tell whether a value is a tensor; `isinstance` would ask its `__class__`."""
    return issubclass(type(value), Tensor)


def sizes(tensor: torch.Tensor) -> tuple[int, ...]:
    """Return a tensor's shape; an empty one of a nested tensor, whose parts have one each."""
    return () if is_nested(tensor) else tuple(shape(tensor))


def dtype_name(tensor: torch.Tensor) -> str:
    """Return the name of a tensor's dtype: `float32`."""
    return str(dtype(tensor)).removeprefix("torch.")


def is_unrecorded_view(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor is a view of one that requires grad: without a node, no gradient arrives."""
    viewed = base(tensor)
    return viewed is not None and requires_grad(viewed)


def is_leaf_node(node: GraphNode) -> bool:
    """Tell whether a node adds up the gradient of a leaf, its `variable`."""
    return class_name(type(node)) == "AccumulateGrad"


def is_custom(node: GraphNode) -> bool:
    """Tell whether a node belongs to a `torch.autograd.Function` of the program."""
    return issubclass(type(node), BackwardCFunction)


def of_node(node: GraphNode, name: str) -> Any:
    """Return a node's attribute or bound method, as torch has it: a custom function's `ctx` is its node."""
    kind = type(node)
    return getattr(CustomNode if issubclass(kind, BackwardCFunction) else kind, name).__get__(node)


def node_name(node: GraphNode) -> str:
    """Return a node's name without that of its C++ namespace: `MulBackward0`."""
    return of_node(node, "name")().split("::")[-1]


def inputs(node: GraphNode) -> tuple[tuple[GraphNode | None, int], ...]:
    """Return the nodes before a node, each with the number of its output; None where no gradient goes."""
    return of_node(node, "next_functions")
