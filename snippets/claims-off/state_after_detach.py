import torch

torch.manual_seed(0)
gru = torch.nn.GRU(input_size=1, hidden_size=2)
first, second = torch.ones(2, 3, 1, 1)
_, h = gru(first)
outputs = {
    "carried on": gru(second, h)[0],
    "detached": gru(second, h.detach())[0],
    "begun at 0": gru(second)[0],
}
for name, out in outputs.items():
    print(f"{name}: {[round(x, 4) for x in out[0, 0].tolist()]}")
holds = not torch.equal(outputs["detached"], outputs["carried on"])
print(f"{holds = }")
