import torch

w = torch.tensor(2.0, requires_grad=True)
with torch.no_grad():
    a = w * 5
with torch.inference_mode():
    b = w * 5
print(f"{a.is_inference() = }")
print(f"{b.is_inference() = }")
print(f"{b.clone().is_inference() = }")


def outcome(code, t):
    try:
        eval(code)
        return "ok"
    except RuntimeError as error:
        return type(error).__name__


codes = ["w + t", "w * t", "t.add_(1)", "t._version"]
codes += ["t.requires_grad_()"]
cases = {}
for name, t in {"a": a, "b": b, "b.clone()": b.clone()}.items():
    cases[name] = {code: outcome(code, t) for code in codes}
