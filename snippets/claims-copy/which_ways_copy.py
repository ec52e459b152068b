import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
ways = {
    "detach": x.detach(),
    "clone": x.clone(),
    "detach + clone": x.detach().clone(),
    "deepcopy": copy.deepcopy(x),
}
copies = [w for w in ways if ways[w].data_ptr() != x.data_ptr()]
print(f"{copies = }")
holds = sorted(copies) == ["clone", "detach"]
print(f"{holds = }")
