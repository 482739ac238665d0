"""Seconds a round of federated averaging in plain PyTorch: one client after
another, as a user would write it. The race of pfl_cifar.py without a framework.

    python3 eager_cifar.py --rounds 3 --threads 2
    python3 eager_cifar.py --rounds 20 --device cuda --dp

1,000 users of 50 random images of CIFAR-10's shape; 50 users a round, each one
epoch of SGD (learning rate 0.1, batches of 10) on a CNN of 1,626,442
parameters; the mean update moves the server's model (learning rate 1). With
--dp each update is clipped to norm 0.4 and the sum gets Gaussian noise.

Prints one JSON object. A round is all of that and nothing else: the first, which
warms up, is left out, and so is making the data, which lies on the device.
Needs torch alone.
"""

import argparse
import json
import time

import torch
from torch import nn
from torch.nn import functional

USERS, EXAMPLES, COHORT, BATCH = 1000, 50, 50, 10
LOCAL_RATE, CLIP_NORM, NOISE_STDDEV = 0.1, 0.4, 0.0143


def cifar_cnn():
    """The CNN of pfl-research's benchmark."""
    model = nn.Sequential(
        nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(),
        nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(),
        nn.Linear(64 * 14 * 14, 128), nn.ReLU(), nn.Dropout(0.5),
        nn.Linear(128, 10))
    assert sum(p.numel() for p in model.parameters()) == 1_626_442
    return model


def random_users(users, device="cpu"):
    """Images [user, example, 3, 32, 32] and labels [user, example]."""
    return (torch.rand(users, EXAMPLES, 3, 32, 32, device=device),
            torch.randint(10, (users, EXAMPLES), device=device))


def train_round(model, server, images, labels, cohort, private):
    """One round; `server` holds the parameters between rounds."""
    parameters = list(model.parameters())
    total = [torch.zeros_like(p) for p in server]
    optimizer = torch.optim.SGD(parameters, lr=LOCAL_RATE)
    for user in cohort:
        with torch.no_grad():
            torch._foreach_copy_(parameters, server)
        for x, y in zip(images[user].split(BATCH), labels[user].split(BATCH)):
            optimizer.zero_grad()
            functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            update = torch._foreach_sub(parameters, server)
            if private:
                norm = torch.linalg.vector_norm(
                    torch.stack(torch._foreach_norm(update)))
                scale = (CLIP_NORM / norm).clamp(max=1)
                torch._foreach_mul_(update, scale)
            torch._foreach_add_(total, update)
    if private:
        for t in total:
            t.add_(torch.randn_like(t), alpha=NOISE_STDDEV)
    torch._foreach_add_(server, total, alpha=1 / len(cohort))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--dp", action="store_true")
    parser.add_argument("--users", type=int, default=USERS)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    torch.set_num_threads(options.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(options.seed)
    device = torch.device(options.device)
    images, labels = random_users(options.users, device)
    model = cifar_cnn().to(device)
    server = [p.detach().clone() for p in model.parameters()]

    seconds = []
    for _ in range(1 + options.rounds):
        start = time.perf_counter()
        cohort = torch.randperm(options.users)[:COHORT].tolist()
        train_round(model, server, images, labels, cohort, options.dp)
        if device.type == "cuda":
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    assert all(p.isfinite().all() for p in server)
    print(json.dumps({
        "rounds": options.rounds, "seconds_per_round": seconds[1:],
        "device": options.device, "threads": options.threads,
        "private": options.dp, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
