"""Predictions a second of local training with PyTorch's own LSTM with
projection, one user after another: a yardstick beside `sfumato bench lm`.

    python3 torch_lstm.py --model word --threads 2
    python3 torch_lstm.py --model char --device cuda

The sizes are those of the first paper's language models (Augenstein et al.,
"Generative Models for Effective ML on Private, Decentralized Datasets",
appendix B.2): word, 10,004 symbols, embedding 96, hidden 670, projection 96,
tied; char, 258 symbols, embedding 128, three layers of hidden 256, projection
128. PyTorch's LSTM has an input gate of its own, so its layer is a third larger
than the coupled one. Batches of 10 sequences with 21 predictions each, random
symbols; a step is forward, backward and plain SGD. Needs torch alone; prints
one JSON object.
"""

import argparse
import json
import time

import torch
from torch import nn
from torch.nn import functional

BATCH, PREDICTIONS, RATE = 10, 21, 0.5
SIZES = {
    "word": dict(symbols=10_004, embedding=96, hidden=670, layers=1,
                 projection=96, tied=True),
    "char": dict(symbols=258, embedding=128, hidden=256, layers=3,
                 projection=128, tied=False),
}


class Model(nn.Module):
    def __init__(self, symbols, embedding, hidden, layers, projection, tied):
        super().__init__()
        self.embedding = nn.Embedding(symbols, embedding)
        self.lstm = nn.LSTM(embedding, hidden, layers, proj_size=projection,
                            batch_first=True)
        self.output = nn.Linear(projection, symbols)
        if tied:
            self.output.weight = self.embedding.weight

    def forward(self, rows):
        return self.output(self.lstm(self.embedding(rows))[0])


def step(model, rows):
    logits = model(rows[:, :-1])
    loss = functional.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.sub_(parameter.grad, alpha=RATE)
            parameter.grad = None
    return loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=SIZES, default="word")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--steps", type=int, default=60)
    given = parser.parse_args()
    if given.threads:
        torch.set_num_threads(given.threads)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.manual_seed(1)
    size = SIZES[given.model]
    model = Model(**size).to(given.device)
    rows = torch.randint(0, size["symbols"], (BATCH, PREDICTIONS + 1),
                         device=given.device)

    def run(steps):
        start = time.perf_counter()
        for _ in range(steps):
            step(model, rows)
        if given.device != "cpu":
            torch.cuda.synchronize()
        return time.perf_counter() - start

    run(5)
    best = min(run(given.steps) for _ in range(3)) / given.steps
    print(json.dumps({
        "model": given.model, "device": given.device,
        "predictions_per_second": BATCH * PREDICTIONS / best,
        "parameters": sum(p.numel() for p in model.parameters()),
        "torch": torch.__version__, "threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main()
