import torch


def walk(node, indent=""):
    print(indent + type(node).__name__)
    for name in dir(node):
        if name.startswith("_saved_"):
            print(f"{indent}  {name} = {getattr(node, name)}")
    for earlier, _ in node.next_functions:
        if earlier is not None:
            walk(earlier, indent + "    ")


x = torch.tensor(5.0, requires_grad=True)
y = x**3
z = torch.log(y)
walk(z.grad_fn)
end = z.grad_fn.next_functions[0][0].next_functions[0][0]
print(f"{end.variable is x = }")
