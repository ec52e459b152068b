"""Programs made by chance, each kind about one thing that autograd does; the same in every run."""

import random

KINDS = ("straight", "loop", "function", "in_place", "view", "no_grad", "custom", "error")
UNARY = ("{}.exp()", "{}.sigmoid()", "{} ** 2", "{} * 3", "{}.tanh()", "-{}", "{}.detach()", "{}.clone()")
BINARY = ("{} + {}", "{} * {}", "{} - {}", "torch.maximum({}, {})", "torch.where({} > 0, {}, 1.0)")
IN_PLACE = ("{}.mul_(2)", "{} += 1", "{}.zero_()", "{}.data.add_(1)", "{}.fill_(0.5)", "{}[0] = 4.0")
VIEWS = ("{}.view(-1)", "{}[:1]", "{}.t()", "{}[0]", "{}.unbind()", "{}.expand(2, 2)")
CUSTOM = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        slope = x * 0 + 2
        return grad * slope
"""


def generated(count: int) -> list[tuple[str, str]]:
    """Return a name and a source for each of `count` programs."""
    return [(f"generated_{i}_{KINDS[i % len(KINDS)]}.py", _program(i)) for i in range(count)]


def _program(number):
    dice = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    maker = Maker(dice)
    lines = [
        "import torch",
        *(CUSTOM.splitlines() if kind == "custom" else []),
        f"a = torch.tensor({maker.numbers()}, requires_grad=True)",
        f"b = torch.tensor({maker.numbers()}, requires_grad={dice.random() < 0.5})",
        f"c = torch.tensor({maker.numbers()})",
    ]
    maker.names = ["a", "b", "c"]
    for _ in range(dice.randint(3, 6)):
        lines += maker.some(kind)
    if kind == "error":
        lines.append(maker.mistake())
    else:
        lines += maker.backward()
    lines.append("print('end')")
    return "\n".join(lines) + "\n"


class Maker:
    def __init__(self, dice):
        self.dice, self.names, self.count = dice, [], 0

    def numbers(self):
        return [round(self.dice.uniform(-2, 3), 1) for _ in range(2)]

    def one(self):
        return self.dice.choice(self.names)

    def new(self):
        self.count += 1
        self.names.append(f"t{self.count}")
        return self.names[-1]

    def expression(self):
        template = self.dice.choice(UNARY + BINARY)
        return template.format(*(self.one() for _ in range(template.count("{}"))))

    def assignment(self):
        expression = self.expression()  # before the name is there
        return f"{self.new()} = {expression}"

    def tried(self, line):
        return [
            "try:",
            f"    {line}",
            "except (RuntimeError, IndexError) as error:",
            "    print(type(error))",
        ]

    def some(self, kind):
        return getattr(self, f"_{kind}", self._straight)()

    def _straight(self):
        return [self.assignment(), f"print({self.one()})"][: self.dice.randint(1, 2)]

    def _loop(self):
        target, other = self.new(), self.dice.choice(("a", "b", "c"))
        self.names.remove(target)
        lines = [f"{target} = {self.one()} * 1", f"for i in range({self.dice.randint(0, 4)}):"]
        lines += [f"    {target} = {target} * {other}", f"    if i % 2: {target} = {target} + 1; print(i)"]
        self.names.append(target)
        return lines

    def _function(self):
        self.count += 1
        name, body = f"f{self.count}", self.dice.choice(UNARY).format("x")
        made = f"{name}({self.one()})"
        return [f"def {name}(x, k=2):", f"    y = {body}", "    return y * k", f"{self.new()} = {made}"]

    def _in_place(self):
        return [self.assignment(), *self.tried(self.dice.choice(IN_PLACE).format(self.one()))]

    def _view(self):
        view = self.dice.choice(VIEWS).format(self.one())
        return [
            f"v = {view}",
            *self.tried(self.dice.choice(IN_PLACE).format(self.dice.choice(("v", self.one())))),
        ]

    def _no_grad(self):
        mode = self.dice.choice(("no_grad", "inference_mode", "enable_grad"))
        return [f"with torch.{mode}():", f"    {self.assignment()}", self.assignment()]

    def _custom(self):
        one = self.one()
        return [f"{self.new()} = Own.apply({one})", self.assignment()]

    def _error(self):
        return [self.assignment()]

    def mistake(self):
        return self.dice.choice(
            (
                f"({self.one()} @ torch.ones(5)).sum()",
                "a += 1",
                "c.sum().backward()",
                "s = (a * b).exp(); s.zero_(); s.sum().backward()",
                "z = a.exp().sum(); z.backward(); z.backward()",
                "(a * 2).requires_grad_(False)",
                "missing + 1",
                "torch.autograd.grad(a.sum(), c)",
            )
        )

    def backward(self):
        line = self.dice.choice(
            (
                "{}.sum().backward()",
                "({0} * a).sum().backward(retain_graph=True)",
                "g = torch.autograd.grad(({} * a).sum(), a, create_graph=True)",
                "a.register_hook(lambda g: g * 2); ({} + a).sum().backward()",
            )
        ).format(self.one())
        return self.tried(line)
