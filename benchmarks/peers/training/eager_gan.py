"""Seconds a round of the first paper's federated GAN in plain PyTorch: one
client after another, as a user would write it.

    python3 eager_gan.py --rounds 2 --threads 2
    python3 eager_gan.py --rounds 30 --device cuda

Networks, losses and rates of Augenstein et al., "Generative Models for
Effective ML on Private, Decentralized Datasets": a round is 10 clients, each
six SGD steps of WGAN-GP on the critic (batches of 32 of its own images, as many
fakes drawn on the device), updates clipped to norm 0.1, Gaussian noise on their
mean; then six SGD steps of the generator. Batch normalisation is in the
generator and, with --batch-norm, in the critic. Images are random.

Prints one JSON object. A round is all of that and nothing else: the first two,
which warm up, are left out, and so is making the data, which lies on the device.
Needs torch alone.
"""

import argparse
import json
import time

import torch
from torch import nn

from eager_critic import (
    BATCH, LEARNING_RATE, STEPS, critic, penalty, prepared)

COHORT, USERS, LATENT = 10, 100, 128
CLIP_NORM, NOISE, GENERATOR_RATE, L2 = 0.1, 0.01, 5e-3, 1.25e-5


def generator():
    def normed(layer, features, kind):
        return layer, kind(features, eps=1e-3, momentum=1e-3), nn.ReLU()
    model = nn.Sequential(
        *normed(nn.Linear(LATENT, 1024, bias=False), 1024, nn.BatchNorm1d),
        *normed(nn.Linear(1024, 12544, bias=False), 12544, nn.BatchNorm1d),
        nn.Unflatten(1, (256, 7, 7)),
        *normed(nn.ConvTranspose2d(256, 64, 4, 2, 1, bias=False), 64,
                nn.BatchNorm2d),
        *normed(nn.ConvTranspose2d(64, 32, 4, 2, 1, bias=False), 32,
                nn.BatchNorm2d),
        nn.ZeroPad2d((1, 2, 1, 2)), nn.Conv2d(32, 1, 4), nn.Tanh())
    for layer in model:  # the paper's shift and do not scale
        if isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
            layer.weight.requires_grad_(False)
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    assert trained == 13_285_217
    return model


def with_batch_norm(model):
    """The paper's critic: batch normalisation after the wide dense layer."""
    layers = list(model)
    norm = nn.BatchNorm1d(1024, eps=1e-3, momentum=1e-3)
    norm.weight.requires_grad_(False)
    return nn.Sequential(*layers[:6], norm, *layers[6:])


def squares(parameters):
    return sum(p.square().sum() for p in parameters)


def train_client(judge, draw, images, device):
    """Six steps of the critic on one client's images."""
    parameters = [p for p in judge.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
    for real in images.split(BATCH)[:STEPS]:
        with torch.no_grad():
            fake = draw(torch.randn(len(real), LATENT, device=device))
        mix = torch.rand(len(real), 1, 1, 1, device=device)
        optimizer.zero_grad()
        between = (real + mix * (fake - real)).requires_grad_()
        gradient, = torch.autograd.grad(
            judge(between).sum(), between, create_graph=True)
        loss = (judge(fake).mean() - judge(real).mean() + penalty(gradient) +
                L2 * squares(parameters))
        loss.backward()
        optimizer.step()


def train_round(judge, draw, server, images, cohort):
    """One round; `server` holds the critic between rounds."""
    device = images.device
    parameters = [p for p in judge.parameters() if p.requires_grad]
    total = [torch.zeros_like(p) for p in server]
    for user in cohort:
        with torch.no_grad():
            torch._foreach_copy_(parameters, server)
        train_client(judge, draw, images[user], device)
        with torch.no_grad():
            update = torch._foreach_sub(parameters, server)
            norm = torch.stack(torch._foreach_norm(update)).norm().item()
            torch._foreach_mul_(update, min(1.0, CLIP_NORM / norm))
            torch._foreach_add_(total, update)
    with torch.no_grad():
        for p, sum_ in zip(server, total):
            sum_ += torch.randn_like(sum_) * (NOISE * CLIP_NORM)
            p += sum_ / len(cohort)
        torch._foreach_copy_(parameters, server)
    trained = [p for p in draw.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trained, lr=GENERATOR_RATE)
    for _ in range(STEPS):
        optimizer.zero_grad()
        fake = draw(torch.randn(BATCH, LATENT, device=device))
        (-judge(fake).mean() + L2 * squares(trained)).backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch-norm", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    device = prepared(options)
    judge = critic()
    judge = (with_batch_norm(judge) if options.batch_norm else judge).to(device)
    draw = generator().to(device)
    server = [p.detach().clone() for p in judge.parameters()
              if p.requires_grad]
    images = torch.rand(USERS, STEPS * BATCH, 1, 28, 28, device=device) * 2 - 1

    times = []
    for _ in range(options.rounds + 2):
        start = time.perf_counter()
        train_round(judge, draw, server, images,
                    torch.randperm(USERS)[:COHORT].tolist())
        if device.type == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    assert all(p.isfinite().all() for p in server)
    seconds = sum(times[2:]) / options.rounds
    print(json.dumps({
        "seconds_per_round": seconds, "thousand_rounds": 1000 * seconds,
        "best": min(times[2:]), "rounds": options.rounds,
        "batch_norm": options.batch_norm, "device": options.device,
        "threads": options.threads, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
