#!/usr/bin/env python3
"""Writes corpus/NAME: small valid files that the fuzz targets start from.

    python3 tests/fuzz/seed_corpus.py

The files are part of the repository; run this after changing a format.
"""

import base64
import gzip
import io
import json
import pathlib
import struct
import tarfile
import zipfile
import zlib

CORPUS = pathlib.Path(__file__).parent / "corpus"
WIDTHS = {"U8": 1, "I32": 4, "U64": 8}


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def packed(content):
    return gzip.compress(content, mtime=0)


def png():
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))
    rows = b"\0\x00\x80\xff\0\xff\x80\x00"  # 2 rows of 3 grey pixels
    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# 8 x 8 pixels, grey, baseline.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcg"
    "LikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//wAALCAAIAAgBAREA"
    "/8QAFAABAAAAAAAAAAAAAAAAAAAABP/EABgQAAIDAAAAAAAAAAAAAAAAAAAFBiIy/9oA"
    "CAEBAAA/AAxZbip//9k=")


def make_zip():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, how in (("a/1", zipfile.ZIP_STORED),
                          ("b/2", zipfile.ZIP_DEFLATED)):
            info = zipfile.ZipInfo(name)
            info.compress_type = how
            archive.writestr(info, b"content " * 4)
    return out.getvalue()


def make_tar():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        info = tarfile.TarInfo("a/1")
        info.size = 7
        tar.addfile(info, io.BytesIO(b"content"))
    return out.getvalue()[:2048]  # two blocks of zeros end it


def safetensors(tensors, metadata=None):
    """tensors: name -> (type, shape, values), widest types first."""
    header, body = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, (kind, shape, values) in tensors.items():
        code = {"U8": "B", "I32": "i", "U64": "Q"}[kind]
        begin = len(body)
        body += struct.pack(f"<{len(values)}{code}", *values)
        header[name] = {"dtype": kind, "shape": shape,
                        "data_offsets": [begin, len(body)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def dataset(values):
    """Users a and b with one and two examples."""
    tensors = {
        "user_offsets": ("U64", [3], [0, 1, 3]),
        "user_id_offsets": ("U64", [3], [0, 1, 2]),
        "user_id_bytes": ("U8", [2], b"ab"),
        "labels": ("I32", [3], [0, 1, -1]),
        "columns": ("I32", [3, 1], [0, 1, 0]),
    } | values
    return safetensors(dict(sorted(
        tensors.items(), key=lambda item: -WIDTHS[item[1][0]])))


IMAGES = dataset({"images": ("U8", [3, 2, 3, 1], range(18))})
TEXT = dataset({"text_offsets": ("U64", [4], [0, 2, 5, 9]),
                "text_bytes": ("U8", [9], b"hia bno !")})


def npy(kind, shape, body):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) +
            text.encode() + body)


def idx(*dims, data):
    return (bytes([0, 0, 8, len(dims)]) +
            b"".join(struct.pack(">I", n) for n in dims) + data)


def leaf(x, y):
    return json.dumps({"users": ["u"], "num_samples": [len(y)],
                       "user_data": {"u": {"x": x, "y": y}}}).encode()


POSTS = b"""<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="1" PostTypeId="1" Body="&lt;p&gt;A bug.&lt;/p&gt;" OwnerUserId="3" Title="Why?" />
</posts>
"""
COMMENTS = b"""<comments><row Id="1" PostId="1" Text="see [a](b) &amp;amp; `c`" UserId="4" /></comments>"""


def event(mechanism, kind, **more):
    adjacency = "replace-one" if kind["kind"] == "fixed" else "add-remove"
    return json.dumps(mechanism | {"sampling": kind, "adjacency": adjacency,
                                   "unit": "user"} | more).encode() + b"\n"


def events():
    """name -> a file of events; every mechanism and every sampling."""
    gaussian = {"mechanism": "gaussian", "noise_multiplier": 1.5}
    everyone = {"kind": "all"}
    others = [
        {"mechanism": "laplace", "noise_multiplier": 2},
        {"mechanism": "discrete-gaussian", "noise_multiplier": 2,
         "sensitivity": 10, "dimension": 3},
        {"mechanism": "skellam", "noise_multiplier": 2, "sensitivity": 10,
         "l1_sensitivity": 20},
        {"mechanism": "pure", "epsilon": 0.5},
        {"mechanism": "thresholded-histogram", "noise_multiplier": 5,
         "delta": 1e-9},
        {"mechanism": "approximate", "epsilon": 0.5, "delta": 1e-8},
        {"mechanism": "vote", "sigma": 25, "level": "agent", "neighbours": 3},
    ]
    return {
        "samplings": b"".join(event(gaussian, kind) for kind in (
            everyone, {"kind": "poisson", "rate": 0.01},
            {"kind": "fixed", "cohort": 10, "population": 425},
            {"kind": "revealed", "rate": 0.001})),
        "mechanisms": b"".join(event(other, everyone) for other in others),
        "population": event(
            gaussian, {"kind": "poisson", "rate": 0.5}, count=1, cohort="r/1",
            population={"name": "a", "root": "b", "partition": "p",
                        "selected": True}),
    }


CONFIG = b"""rounds = 1_000  # many
[data]
generate = "handwriting"
[cohort]
size = 2.5e1
[privacy]
epsilon = 2
[device]
tf32 = false
"""


WORDS = (b"# Chosen privately.\n# Event: " + event(
    {"mechanism": "thresholded-histogram", "noise_multiplier": 5,
     "delta": 1e-9}, {"kind": "all"}) +
    b"# Ledger run: words\n# Sum of the words: 6a09e667\n" +
    "the\ni\nc#\nna\u00efve\ndon't\n".encode())

SAMPLES = b"""\
{"schema":"sfumato.text_samples/1","round":120,"sentences":1,"words":2,"top":1,"label":{"epsilon":"0.5"}}
{"sentence":["i","have",null]}
{"word":"i have","count":31}
{"bytes":"ff20","count":1}
{"word":"i have","log_probability":-4.8}
"""


def contrast():
    """What an inspection of text found, with one of everything."""
    words = [{"word": "i have", "probability": 0.008, "marked": True}]
    return json.dumps({
        "schema": "sfumato.contrast/1", "verdict": "differs",
        "sentence": "Words are joined.", "told_apart": {"value": 0.9},
        "hypotheses": [{"key": "join", "supported": True,
                        "explained": {"value": 0.5, "low": 0.4, "high": 0.6},
                        "examples": ["i have"], "affects": "sentences"}],
        "measures": [{"key": "m", "a": 1, "b": 2, "verdict": "same"}],
        "health": [{"model": "a1", "words": "draws varied text"}],
        "steps": [{"round": 3}], "map": [{"x": 1, "model": "a1"}],
        "text": {
            "unknown_a": 0.1, "unknown_b": 0.2, "unknown_floor": 0.01,
            "unknown_by_position": [{"position": 1, "a": 0.1, "b": 0.3,
                                     "floor": 0.02, "differs": True}],
            "top_a": words, "top_b": words, "top_exact": True,
            "phrases_a": [["i", "", "am"]], "phrases_b": [[""]],
            "changed_words": [{"word": "i", "known": True, "a": 0.5}],
            "models": [{"model": "a1", "sentences": 9, "words": 4,
                        "distinct_sentences": 0.5}]}}).encode()


def census(groups, about="damage"):
    """What a census of one or two groups asked and answered."""
    names = (("as_it_should_be", "as it should be"), ("invert", "inverted"))
    states = [{"key": "as_it_should_be", "tried": [
                  {"values": "", "users": 90, "votes": [90, 0, 0, 0],
                   "worth": [40, 30, 30, 30]}]},
              {"key": "invert", "tried": [
                  {"values": "", "users": 9, "votes": [0, 9, 0, 0],
                   "worth": []}]}]
    if about == "classes":
        names = (("class=6", "class 6"), ("class=7", "class 7"))
        states = []
    cells = [{"key": key, "words": words, "cause": ""} for key, words in
             names + (("none_of_these", "none"), ("cannot_tell", "cannot"))]
    counts = [[570, 31, -2, 4]] * groups
    answers = [{**cell, "counts": [count[i] for count in counts],
                "share": 0.05, "low": 0.04, "high": 0.07, "share_a": 0.1,
                "share_b": 0.1, "supported": i == 1, "threshold": 17,
                "seen_from": 0.03} for i, cell in enumerate(cells)]
    case = "everybody" if groups == 1 else "two_groups"
    words = ["old", "new"][:groups]
    verdict = "differs" if about == "damage" or groups == 2 else "counted"
    return json.dumps({
        "schema": "sfumato.census/1", "status": "finished", "stage": "",
        "version": "0.1.0", "name": "phones", "question": "Which damage?",
        "ask": "", "simulation": True, "part": False, "data": "digits",
        "origin": "public", "case": case, "level": 0.01,
        "ledger_name": "phones", "config_crc32c": "0", "data_crc32c": "0",
        "voter_crc32c": "0", "judge_crc32c": "", "remarks": ["Too mild: blur."],
        "reference": {"words": "digits, 500 people", "provenance": "public"},
        "groups": [{"words": word, "rule": "version"} for word in words],
        "privacy": {"epsilon": 0.5, "delta": 1e-4, "adjacency": "add-remove",
                    "unit": "user", "parts": [
                        {"what": "the vote", "epsilon": 0.5, "events": "x"}]},
        "noise": {"kind": "discrete_laplace", "parameter": 2},
        "calibration": {"about": about, "cells": cells, "marks": 1,
                        "split": [], "remarks": [], "states": states},
        "power": [{"key": "invert", "words": "inverted", "share": 0.03}],
        "counts": counts, "asked": [],
        "simulation_only": {"bug": "invert", "seconds": 3},
        "answer": {"about": about, "verdict": verdict,
                   "sentence": "Inverted: 5 %.",
                   "next": "Fix `it`.", "level": 0.01, "case": case,
                   "groups": words, "users": [600] * groups,
                   "users_deviation": 6, "answers": answers,
                   "remarks": []}}).encode()


def main():
    write("census", "everybody.json", census(1))
    write("census", "two_groups.json", census(2))
    write("census", "classes.json", census(1, "classes"))
    write("census", "classes_of_two.json", census(2, "classes"))
    write("vocabulary", "released.txt", WORDS)
    write("vocabulary", "plain.txt", b"the\r\ni\r\n.\r\n")
    write("text_samples", "drawn.jsonl", SAMPLES)
    write("contrast", "text.json", contrast())
    write("text", "marks", "Don\u2019t use C++, try .NET 3.5 at 10:30!".encode())
    write("text", "scripts", "\u0130\u03a3 \u4f60\u597d \U0001f600\ufe0f "
          "\u202e\xad\u200b".encode() + b" \xff\xc3")
    for name, content in events().items():
        write("event", name + ".jsonl", content)
    write("archive", "stored_and_deflated.zip", make_zip())
    write("archive", "one.tar", make_tar())
    write("archive", "one.tar.gz", packed(make_tar()))
    write("gzip", "one.gz", packed(b"hello"))
    write("gzip", "two_members.gz", packed(b"hello ") + packed(b"world"))
    write("image_files", "grey.png", png())
    write("image_files", "grey.jpg", JPEG)
    write("image_files", "raw.pgm", b"P5 2 1 255\n\x00\xff")
    write("image_files", "plain.ppm", b"P3\n# two\n2 1 255\n0 1 2 253 254 255\n")
    write("idx", "images", idx(2, 2, 3, data=b"abcdefghijkl"))
    write("idx", "labels", idx(2, data=b"\x05\x02"))
    write("npy", "f4.npy", npy("<f4", (2, 3), struct.pack("<6f", *range(6))))
    write("npy", "i8.npy", npy(">i8", (2,), struct.pack(">2q", 1, -1)))
    write("safetensors", "images", IMAGES)
    write("safetensors", "text", TEXT)
    write("checkpoint", "round", safetensors(
        {"model/w": ("I32", [2], [1, -1])},
        {"schema": "sfumato.checkpoint/1", "round": "120"}))
    write("train_config", "whole.toml", CONFIG)
    write("train_config", "set", CONFIG + b"\0model.name=mlp")
    write("train_config", "dotted", b"data.path='a'\nprivacy.epsilon=1\0" +
          b"cohort.size=1e3")
    write("container", "images", b"\0" + IMAGES)
    write("container", "text", b"\1" + TEXT)
    write("leaf", "numbers.json", leaf([[0.5, 1], [2, 3]], [0, 1]))
    write("leaf", "texts.json", leaf(["to be", "or"], ["r", " "]))
    write("leaf", "tweets.json", leaf([["1", "good day"]], ["4"]))
    # The first byte is the length of the pieces, less one.
    write("stackexchange", "posts", b"\xff" + POSTS)
    write("stackexchange", "comments", b"\x06" + COMMENTS)
    # Choices: a client with one image of label 7; then an author with a
    # sentence. (15 leaves a dataset out.)
    write("tff", "image", bytes([0, 0, 0, 0, 0]) + bytes(4 * 28 * 28) +
          bytes([0, 2, 1, 0, 7, 0, 0, 0, 15, 15]))
    string = [0, 5, 1, 0, 1, 0]
    write("tff", "sentence", bytes([0, 15, 15] + string + [3, *b"a b", 1] +
                                   string + [1, *b"q", 1]))


if __name__ == "__main__":
    main()
