"""The second of two backward() calls raised, after "RuntimeError: Trying to backward through the graph a second time" (StyleMapGAN)."""
from argparse import Namespace

import torch
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.mapping = self.mlp(args.noise, args.code, args.code)
        self.generator = self.mlp(args.code, 40, args.pixels)
        self.encoder = self.mlp(args.pixels, 40, args.code)
        self.critic = nn.Linear(args.pixels, 1)
        self.critic.requires_grad_(False)

    @staticmethod
    def mlp(first, middle, last):
        return nn.Sequential(nn.Linear(first, middle), nn.LeakyReLU(0.2), nn.Linear(middle, last))

    def forward(self, z, mode):
        assert mode == "G"
        stylecode = self.mapping(z)
        fake_img = self.generator(stylecode)
        adv_loss = F.softplus(-self.critic(fake_img)).mean()
        w_rec_loss = F.mse_loss(self.encoder(fake_img), stylecode)
        return adv_loss, w_rec_loss, stylecode


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = Model(args)
        ours = [p for p in self.model.parameters() if p.requires_grad]
        self.g_optim = torch.optim.Adam(ours, lr=args.lr, betas=(0.0, 0.99))

    def g_step(self):
        args = self.args
        adv_loss, w_rec_loss, _ = self.model(torch.randn(args.batch, args.noise), "G")
        self.g_optim.zero_grad()
        (adv_loss * args.lambda_adv_loss + w_rec_loss * args.lambda_w_rec_loss).backward()
        self.g_optim.step()
        return {"adv": adv_loss.item(), "w_rec": w_rec_loss.item()}


def fit(args):
    trainer = Trainer(args)
    for i in range(args.iters):
        loss_dict = trainer.g_step()
        if i % 10 == 0:
            print(i, " ".join(f"{k}: {v:.4f}" for k, v in loss_dict.items()))


torch.manual_seed(2021)
fit(Namespace(noise=6, code=10, pixels=24, batch=16, lr=2e-3, iters=40, lambda_adv_loss=1.0, lambda_w_rec_loss=0.5))
