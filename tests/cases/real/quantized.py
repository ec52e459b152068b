import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class VectorQuantizer(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, commitment_cost):
        super().__init__()
        self.embedding = nn.Embedding(num_embeddings, embedding_dim)
        self.embedding.weight.data.uniform_(-1 / num_embeddings, 1 / num_embeddings)
        self.commitment_cost = commitment_cost

    def forward(self, inputs):
        distances = torch.cdist(inputs, self.embedding.weight)
        indices = torch.argmin(distances, dim=1)
        quantized = self.embedding(indices)
        e_latent_loss = F.mse_loss(quantized.detach(), inputs)
        q_latent_loss = F.mse_loss(quantized, inputs.detach())
        loss = q_latent_loss + self.commitment_cost * e_latent_loss
        quantized = inputs + (quantized - inputs).detach()
        return loss, quantized


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 2)
        self.vq = VectorQuantizer(4, 2, 0.25)
        self.decoder = nn.utils.parametrizations.weight_norm(nn.Linear(2, 6))

    def forward(self, x):
        loss, quantized = self.vq(self.encoder(x))
        return loss, self.decoder(quantized)


model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, amsgrad=False)
for i in range(2):
    data = torch.randn(5, 6)
    optimizer.zero_grad()
    vq_loss, recon = model(data)
    loss = F.mse_loss(recon, data) + vq_loss
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
