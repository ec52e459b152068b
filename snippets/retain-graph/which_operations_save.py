import torch


class Case:
    def __init__(self, f):
        x = torch.tensor(4.0, requires_grad=True)
        y = torch.tensor(2.0, requires_grad=True)
        z = f(x, y)
        found = [getattr(z.grad_fn, name) for name in dir(z.grad_fn)
                 if name.startswith("_saved")]
        self.saved = [s.item() for s in found if torch.is_tensor(s)]
        z.backward()
        try:
            z.backward()
            self.second = "ok"
        except RuntimeError as error:
            self.second = type(error).__name__


codes = ["x + y", "x - 3", "x.sum()", "x * 3"]
codes += ["x * y", "x**2", "x.sin()", "x.sqrt()"]
cases = {code: Case(eval(f"lambda x, y: {code}")) for code in codes}
print([code for code in codes if cases[code].saved])
