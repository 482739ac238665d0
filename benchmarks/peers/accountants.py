"""The same questions put to other accountants; one JSON object to stdout.

Times are inside the process, without imports. Called by `./x bench`.
"""

import json
import time

import dp_accounting
from autodp import rdp_acct, rdp_bank
from dp_accounting.pld.pld_privacy_accountant import PLDAccountant
from prv_accountant import PoissonSubsampledGaussianMechanism, PRVAccountant

ROWS = [  # cohort, population, rounds, delta: the first paper's eight settings
    (1000, 250_000, 1000, 4e-8),
    (1000, 1_250_000, 1000, 8e-9),
    (1000, 500_000, 1000, 2e-8),
    (1000, 1_708_824, 1000, 0.01 / 1_708_824),
    (1000, 1_964_706, 1000, 0.01 / 1_964_706),
    (1000, 2_000_000, 1000, 5e-9),
    (1000, 1_930_588, 1000, 0.01 / 1_930_588),
    (5000, 342_477, 2000, 1 / 342_477),
]


def sampled(rate, noise):
    return dp_accounting.PoissonSampledDpEvent(
        rate, dp_accounting.GaussianDpEvent(noise))


def pld(rate, noise, rounds, delta):
    return PLDAccountant().compose(
        sampled(rate, noise), rounds).get_epsilon(delta)


def prv(rate, noise, rounds, delta):
    mechanism = PoissonSubsampledGaussianMechanism(
        sampling_probability=rate, noise_multiplier=noise)
    accountant = PRVAccountant(
        prvs=[mechanism], max_self_compositions=[rounds], eps_error=0.01,
        delta_error=delta / 1000)
    return accountant.compute_epsilon(delta, [rounds])[2]


def theorem_9(rate, noise, rounds, delta):
    accountant = rdp_acct.anaRDPacct(m=64)
    accountant.compose_subsampled_mechanism(
        lambda order: rdp_bank.RDP_gaussian({"sigma": noise}, order), rate,
        coeff=rounds)
    return accountant.get_eps(delta)


def different(rounds):
    accountant = PLDAccountant()
    for i in range(rounds):
        accountant.compose(sampled(0.01, 1 + 1e-4 * i))
    return accountant.get_epsilon(1e-6)


def calibrated():
    return dp_accounting.calibrate_dp_mechanism(
        PLDAccountant,
        lambda noise: dp_accounting.SelfComposedDpEvent(
            sampled(0.01, noise), 10000),
        1.0, 1e-5,
        dp_accounting.ExplicitBracketInterval(1.0, 10.0), tol=1e-4)


def timed(question):
    start = time.perf_counter()
    answer = question()
    return {"seconds": time.perf_counter() - start, "answer": answer}


print(json.dumps({
    "rows_pld": timed(
        lambda: [pld(c / n, 1, t, d) for c, n, t, d in ROWS][0]),
    "rows_theorem_9": timed(
        lambda: float([theorem_9(c / n, 1, t, d) for c, n, t, d in ROWS][0])),
    "many_prv": timed(lambda: prv(256 / 60000, 1.1, 174_000, 1e-5)),
    "many_pld": timed(lambda: pld(256 / 60000, 1.1, 174_000, 1e-5)),
    "different_10": timed(lambda: different(10)),
    "calibration": timed(calibrated),
}))
