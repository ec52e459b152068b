import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x.detach().clone()
b = x.clone().detach()
print(f"{a = }, {a.is_leaf = }")
print(f"{b = }, {b.is_leaf = }")
shared = [t.data_ptr() == x.data_ptr() for t in (a, b)]
print(f"{shared = }")
holds = [not torch.equal(a, b), a.is_leaf != b.is_leaf]
holds.append(shared[0] != shared[1])
print(f"{holds = }")
