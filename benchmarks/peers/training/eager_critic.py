"""Client-steps per second of the first paper's critic in PyTorch's autograd.

    python3 eager_critic.py --threads 2 --clients 2
    python3 eager_critic.py --device cuda --clients 10
    python3 eager_critic.py --device cuda --clients 100 --vmap

A client-step is one SGD step of WGAN-GP (penalty 10, batch 32, learning rate
5e-4) on 6,555,841 parameters: two strided convolutions and two dense layers,
no batch-norm (Augenstein et al., "Generative Models for Effective ML on
Private, Decentralized Datasets"). Real and fake images are given, both random.
Each of N clients takes six steps from a copy of the parameters: one client
after another as a user would write it, or all together by torch.func.vmap.

Prints one JSON object. Copying parameters is timed, making images is not; a
first group of clients warms up; then groups follow until --seconds are over.
Needs torch alone.
"""

import argparse
import json
import time

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

STEPS, BATCH, LEARNING_RATE, PENALTY = 6, 32, 5e-4, 10.0


def critic():
    model = nn.Sequential(
        nn.Conv2d(1, 64, 4, stride=2, padding=1), nn.LeakyReLU(0.01),
        nn.Conv2d(64, 128, 4, stride=2, padding=1), nn.LeakyReLU(0.01),
        nn.Flatten(), nn.Linear(6272, 1024, bias=False), nn.LeakyReLU(0.01),
        nn.Linear(1024, 1))
    assert sum(p.numel() for p in model.parameters()) == 6_555_841
    return model


def penalty(gradient):  # [batch, 1, 28, 28]
    norm = (gradient.flatten(1).square().sum(1) + 1e-10).sqrt()
    return PENALTY * (norm - 1).square().mean()


def eager_group(model, server, real, fake, mix):
    """`real`, `fake` [client, step, batch, 1, 28, 28], `mix` [.., 1, 1, 1]."""
    parameters = list(model.parameters())
    optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
    for client in range(len(real)):
        with torch.no_grad():
            torch._foreach_copy_(parameters, server)
        for x, g, a in zip(real[client], fake[client], mix[client]):
            optimizer.zero_grad()
            between = (x + a * (g - x)).requires_grad_()
            gradient, = torch.autograd.grad(
                model(between).sum(), between, create_graph=True)
            loss = model(g).mean() - model(x).mean() + penalty(gradient)
            loss.backward()
            optimizer.step()
    return parameters


def vmap_group(model, server, real, fake, mix):
    """The same for all clients at once."""
    def loss(parameters, x, g, a):
        judge = lambda images: functional_call(model, parameters, (images,))
        gradient = grad(lambda images: judge(images).sum())(x + a * (g - x))
        return judge(g).mean() - judge(x).mean() + penalty(gradient)

    lanes = {name: p.expand(len(real), *p.shape).clone()
             for (name, _), p in zip(model.named_parameters(), server)}
    step = vmap(grad(loss))
    for i in range(STEPS):
        slopes = step(lanes, real[:, i], fake[:, i], mix[:, i])
        for name, p in lanes.items():
            p.sub_(slopes[name], alpha=LEARNING_RATE)
    return list(lanes.values())


def prepared(options):
    """The device, with the settings under which both sides are measured."""
    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(options.seed)
    return torch.device(options.device)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--vmap", action="store_true")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    device = prepared(options)
    model = critic().to(device)
    server = [p.detach().clone() for p in model.parameters()]
    shape = (options.clients, STEPS, BATCH)
    real = torch.rand(*shape, 1, 28, 28, device=device) * 2 - 1
    fake = torch.rand(*shape, 1, 28, 28, device=device) * 2 - 1
    mix = torch.rand(*shape, 1, 1, 1, device=device)
    group = vmap_group if options.vmap else eager_group

    def timed():
        start = time.perf_counter()
        parameters = group(model, server, real, fake, mix)
        if device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - start, parameters

    _, parameters = timed()  # warms up
    assert all(p.isfinite().all() for p in parameters)
    times = []
    while sum(times) < options.seconds:
        times.append(timed()[0])
    steps = options.clients * STEPS
    print(json.dumps({
        "client_steps_per_second": steps * len(times) / sum(times),
        "best": steps / min(times), "steps": steps * len(times),
        "clients": options.clients, "vmap": options.vmap,
        "device": options.device, "threads": options.threads,
        "torch": torch.__version__}))


if __name__ == "__main__":
    main()
