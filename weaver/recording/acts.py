"""What a program did with torch's parts for training, as plain data: no torch in here."""

from collections.abc import Iterator
from dataclasses import dataclass

MOST = 20_000  # acts that are kept
USED = {"some", "nan", "later"}  # what a gradient is that a step uses, as in `Act.grads`


@dataclass(slots=True)
class Act:
    """Something that a program did in a `line` with a part of torch for training.

    `kind`:
    `optimizer`: the optimizer `of`, of the class `name`, was made; `places` are the leaves that it held last;
    `steps` is how often it stepped in all, also where nobody watched; `updated` are the leaves that had a
    gradient at the 1st, 2nd, 4th, 8th of these steps, and so on.
    `step`: it's about to step: `grads` of its `places` are `none`, `zero`, `nan` (or infinite) or `some`, or
    `later` if a closure computes them; `on` if the learning rate is 0.
    `zero`: the gradients of `places` are about to be emptied, whose `grads` are `none` or `some`; so many
    `steps` had optimizers made before, also where nobody watched.
    `clip`: the gradients of `places` are about to be clipped, by the function `name`; `grads` as in a step;
    `on` if it was given an iterator that's used up.
    `mode`: the module `of`, of the class `name`, with the parameters `places`, goes to training, if `on`, or
    stays in the `same` mode; so many `steps` had optimizers made before, also where nobody watched.
    `layer`: dropout or batch normalization, by the function `name`, with its weight in `places`, works as in
    training, if `on`.
    `checkpoint`: a reentrant checkpoint ran a module with the parameters `places`, and no input required a
    gradient.
    `sample`: a distribution that has `rsample` took a `sample`, by the parameters at `places`.
    `scale`, `unscale`: a `GradScaler` multiplies a loss, or divides the gradients of `places` by the number
    `name`; `grads` as in `zero`.
    `loss`: the loss function `name` compares the tensors at `places`, of these `shapes`.
    `number`: the tensor at the first of `places` became a number, by `name`, in the `line`; in the `step` it
    went into the one at the second.
    `bad`: for the first time the engine was called with a loss that isn't finite, but `name`; it's the call
    number `of` in the line.
    `nan`: the line returned a tensor with a nan.
    `used_up`: the line read the variable `name`, an iterator that an earlier line, or the `same` in an
    earlier round, had used up; `on` if it's a module's `parameters()`, else it's what a loop goes through.
    `hook`: a hook `name` was registered, perhaps at a tensor, in `places`; `on` if it's known to be called.

    `records` tells whether operations were recorded then. `step` is the index of the step in which it
    happened, or of the first one after it, -1 if that wasn't kept; `run` is how many runs of the engine had
    begun, and `loops` are those around the line, as in `Step`.
    """

    kind: str
    line: int
    step: int
    run: int = 0
    loops: tuple[tuple[int, int], ...] = ()
    of: int = 0
    name: str = ""
    places: tuple[str, ...] = ()
    grads: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    steps: int = 0
    updated: tuple[str, ...] = ()
    on: bool = False
    same: bool = False
    records: bool = True

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Return its places, each with what the gradient there was."""
        return zip(self.places, self.grads, strict=True)
