import torch
from torch.func import jvp
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention


def attention(q):
    return scaled_dot_product_attention(q, q, q)


torch.manual_seed(0)
q, v = torch.randn(2, 1, 1, 3, 4)
try:
    jvp(attention, (q,), (v,))
except NotImplementedError as error:
    print(str(error).split(" because")[0])
with sdpa_kernel(SDPBackend.MATH):
    y, tangent = jvp(attention, (q,), (v,))
print(f"{tangent.shape = }")
