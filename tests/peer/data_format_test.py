"""Other people's libraries read what sfumato writes, and sfumato reads what
they write: safetensors, h5py, NumPy."""

import json
import os
import subprocess
import tempfile
import unittest

import h5py
import numpy as np
import safetensors.numpy

PROGRAM = os.environ["SFUMATO_PROGRAM"]


def sfumato(*words):
    done = subprocess.run([PROGRAM, *words, "--json", "--quiet"],
                          capture_output=True, text=True)
    answer = json.loads(done.stdout)
    assert done.returncode == 0, answer
    return answer


def load(folder):
    with open(os.path.join(folder, "dataset.json")) as file:
        info = json.load(file)
    return info, safetensors.numpy.load_file(
        os.path.join(folder, "data.safetensors"))


class DataFormatTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_safetensors_reads_a_dataset_as_documented(self):
        people = self.path("people")
        made = sfumato("data", "make", "handwriting", "--users", "20",
                       "--out", people)
        info, data = load(people)
        begin, end = data["user_offsets"][17:19]
        images, labels = data["images"][begin:end], data["labels"][begin:end]
        self.assertEqual(images.shape, (end - begin, 28, 28, 1))
        self.assertEqual(data["images"].dtype, np.uint8)
        self.assertTrue(((labels >= 0) & (labels < 62)).all())
        self.assertEqual(len(data["labels"]), made["examples"])
        ids = data["user_id_bytes"].tobytes()
        offsets = data["user_id_offsets"]
        self.assertEqual(ids[offsets[17]:offsets[18]], b"writer_000017")
        self.assertEqual(info["origin"], "generated")

    def test_federated_emnist_written_by_h5py_is_read(self):
        rng = np.random.default_rng(3)
        pixels = {name: rng.random((n, 28, 28), np.float32)
                  for name, n in (("f0000_14", 3), ("f0001_41", 2))}
        source = self.path("fed_emnist_train.h5")
        with h5py.File(source, "w") as file:
            for name, images in pixels.items():
                group = file.create_group(f"examples/{name}")
                group["pixels"] = images
                group["label"] = np.arange(len(images), dtype=np.int32)
        sfumato("data", "import", "tff-emnist", source, "--out",
                self.path("femnist"))
        _, data = load(self.path("femnist"))
        self.assertEqual(list(data["user_offsets"]), [0, 3, 5])
        expected = 255 * (1 - np.concatenate(list(pixels.values())))
        error = np.abs(data["images"][..., 0].astype(float) - expected)
        self.assertLessEqual(error.max(), 0.5 + 1e-3)

    def test_stack_overflow_written_by_h5py_is_read(self):
        source = self.path("stackoverflow_train.h5")
        sentences = ["how can i do this ?", "naïve ideas are fine ."]
        text = h5py.string_dtype("utf-8")
        with h5py.File(source, "w") as file:
            group = file.create_group("examples/00000001")
            group.create_dataset("tokens", data=sentences, dtype=text)
            for name in ("title", "tags", "creation_date"):
                group.create_dataset(name, data=["x", "y"], dtype=text)
            group.create_dataset("type", data=["question", "answer"],
                                 dtype=text)
            group["score"] = np.array([1, 2], np.int64)
        sfumato("data", "import", "tff-stackoverflow", source, "--out",
                self.path("so"))
        info, data = load(self.path("so"))
        ends = data["text_offsets"]
        whole = data["text_bytes"].tobytes()
        self.assertEqual([whole[ends[i]:ends[i + 1]].decode()
                          for i in range(2)], sentences)
        self.assertEqual(info["text_form"], "tokens")

    def test_arrays_written_by_numpy_are_read(self):
        rng = np.random.default_rng(4)
        features = rng.normal(size=(7, 3))
        np.save(self.path("X.npy"), features)
        np.save(self.path("y.npy"), np.array([0, 1, 2, 0, 1, 2, 0]))
        sfumato("data", "import", "table", self.path("X.npy"),
                self.path("y.npy"), "--out", self.path("rows"))
        _, data = load(self.path("rows"))
        np.testing.assert_allclose(data["features"], features, rtol=1e-6)
        self.assertEqual(list(data["labels"]), [0, 1, 2, 0, 1, 2, 0])


if __name__ == "__main__":
    unittest.main()
