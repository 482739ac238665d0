"""Seconds a round of pfl-research on its own benchmark: CIFAR-10's shape, 50
users a round (eager_cifar.py says what a round is), through its public API.

    python3 pfl_cifar.py --rounds 3 --threads 2
    python3 pfl_cifar.py --rounds 3 --threads 1 --processes 2 --dp

The settings are those of its image_classification/configs/baseline.yaml; --dp
is the same with its central Gaussian mechanism, noise by its own accountant.
What would slow it down is left out: evaluation, metrics, callbacks (but the one
that reads the clock). Users are tensors in memory, cut into batches once.
--processes N trains a share of the cohort in each of N processes, its own way
to use several cores.

Prints one JSON object; the first round, which warms up, is left out.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import warnings


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2, help="of a process")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--dp", action="store_true")
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def start_processes(count):
    """This script `count` times, joined by pfl's environment variables."""
    with socket.socket() as s:
        s.bind(("localhost", 0))
        address = f"localhost:{s.getsockname()[1]}"
    workers = [
        subprocess.Popen(
            [sys.executable, *sys.argv],
            stdout=None if rank == 0 else subprocess.DEVNULL,
            env={**os.environ, "PFL_WORKER_RANK": str(rank),
                 "PFL_WORKER_ADDRESSES": ",".join([address] * count)})
        for rank in range(count)
    ]
    while any(worker.poll() is None for worker in workers):
        if any(worker.poll() for worker in workers):  # the rest would wait
            for worker in workers:
                worker.kill()
        time.sleep(0.2)
    return max(abs(worker.returncode) for worker in workers)


def train(options):
    # Here, because both read the environment when they are imported.
    import numpy as np
    import torch
    from eager_cifar import (BATCH, CLIP_NORM, COHORT, LOCAL_RATE, cifar_cnn,
                             random_users)
    from pfl.aggregate.simulate import SimulatedBackend
    from pfl.algorithm import FederatedAveraging, NNAlgorithmParams
    from pfl.callback.base import TrainingProcessCallback
    from pfl.data import FederatedDataset, get_user_sampler
    from pfl.data.pytorch import PyTorchTensorDataset
    from pfl.hyperparam import NNTrainHyperParams
    from pfl.metrics import Metrics, Weighted
    from pfl.model.pytorch import PyTorchModel
    from pfl.privacy import (CentrallyAppliedPrivacyMechanism,
                             GaussianMechanism, RDPPrivacyAccountant)
    from pfl.version import __version__ as pfl_version

    class Cnn(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = cifar_cnn()

        def loss(self, images, labels):
            return torch.nn.functional.cross_entropy(self.layers(images),
                                                     labels)

        def metrics(self, images, labels):  # asked for in round 0 only
            return {"loss": Weighted(self.loss(images, labels).item(), 1)}

    class Clock(TrainingProcessCallback):
        def __init__(self):
            self.times = []

        def after_central_iteration(self, aggregate_metrics, model, *,
                                    central_iteration):
            self.times.append(time.perf_counter())
            return False, Metrics()

    rank = int(os.environ.get("PFL_WORKER_RANK", 0))
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)  # all processes: the same model and data
    np.random.seed(options.seed)
    images, labels = random_users(options.users)
    users = [PyTorchTensorDataset(tensors) for tensors in zip(images, labels)]
    federated = FederatedDataset(
        users.__getitem__, get_user_sampler("random", range(len(users))))
    cnn = Cnn()
    model = PyTorchModel(
        model=cnn, local_optimizer_create=torch.optim.SGD,
        central_optimizer=torch.optim.SGD(cnn.parameters(), lr=1.0))
    torch.manual_seed(options.seed + rank)  # each process: its own dropout

    postprocessors = []
    if options.dp:
        accountant = RDPPrivacyAccountant(
            num_compositions=1500, sampling_probability=1000 / 1e6,
            mechanism="gaussian", epsilon=2.0, delta=1e-6,
            noise_scale=COHORT / 1000)
        postprocessors.append(CentrallyAppliedPrivacyMechanism(
            GaussianMechanism.from_privacy_accountant(accountant, CLIP_NORM)))

    clock = Clock()
    FederatedAveraging().run(
        algorithm_params=NNAlgorithmParams(
            central_num_iterations=1 + options.rounds,
            evaluation_frequency=10**9, train_cohort_size=COHORT,
            val_cohort_size=0),
        backend=SimulatedBackend(federated, federated, postprocessors),
        model=model,
        model_train_params=NNTrainHyperParams(
            local_batch_size=BATCH, local_num_epochs=1,
            local_learning_rate=LOCAL_RATE),
        callbacks=[clock], send_metrics_to_platform=False)
    assert all(p.isfinite().all() for p in cnn.parameters())
    if rank == 0:
        print(json.dumps({
            "rounds": options.rounds,
            "seconds_per_round": np.diff(clock.times).tolist(),
            "threads": options.threads, "processes": options.processes,
            "private": options.dp, "torch": torch.__version__,
            "pfl": pfl_version}))


if __name__ == "__main__":
    arguments = parse()
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    os.environ["PFL_PYTORCH_DEVICE"] = "cpu"
    warnings.filterwarnings("ignore", category=UserWarning)
    warnings.filterwarnings("ignore", category=FutureWarning)
    if arguments.processes > 1 and "PFL_WORKER_RANK" not in os.environ:
        sys.exit(start_processes(arguments.processes))
    train(arguments)
