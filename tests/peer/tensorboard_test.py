"""TensorBoard reads the event files that sfumato writes."""

import os
import subprocess
import tempfile
import unittest

from tensorboard.backend.event_processing import event_file_loader
from tensorboard.backend.event_processing import plugin_event_accumulator
from tensorboard.util import tensor_util

WRITE_EVENTS = os.environ["SFUMATO_WRITE_EVENTS"]


class TensorBoardTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([WRITE_EVENTS, cls.folder.name], check=True)
        cls.events = plugin_event_accumulator.EventAccumulator(
            cls.folder.name,
            size_guidance={plugin_event_accumulator.TENSORS: 0})
        cls.events.Reload()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def values(self, tag):
        return [(event.step,
                 tensor_util.make_ndarray(event.tensor_proto).tolist())
                for event in self.events.Tensors(tag)]

    def plugin(self, tag):
        return self.events.SummaryMetadata(tag).plugin_data.plugin_name

    def test_every_tag_is_there(self):
        self.assertEqual(set(self.events.Tags()["tensors"]),
                         {"epsilon", "loss", "users", "samples", "note"})

    def test_scalars_keep_step_value_and_time(self):
        self.assertEqual(self.plugin("epsilon"), "scalars")
        self.assertEqual(self.values("epsilon"),
                         [(round, 0.25 * round) for round in range(1, 6)])
        self.assertEqual([event.wall_time
                          for event in self.events.Tensors("epsilon")],
                         [1001, 1002, 1003, 1004, 1005])

    def test_repeated_rounds_replace_what_came_before(self):
        self.assertEqual(self.values("loss"),
                         [(1, 8), (2, 8), (3, 4), (4, 4), (5, 4)])

    def test_a_picture_has_its_size_and_bytes(self):
        self.assertEqual(self.plugin("samples"), "images")
        [(step, (width, height, png))] = self.values("samples")
        self.assertEqual((step, width, height), (5, b"5", b"3"))
        self.assertTrue(png.startswith(b"\x89PNG"))

    def test_text_is_text(self):
        self.assertEqual(self.plugin("note"), "text")
        self.assertEqual(self.values("note"),
                         [(5, ["a text with **bold** é".encode()])])

    def test_every_record_passes_the_readers_checksums(self):
        count = 0
        for name in sorted(os.listdir(self.folder.name)):
            loader = event_file_loader.RawEventFileLoader(
                os.path.join(self.folder.name, name))
            count += len(list(loader.Load()))
        self.assertEqual(count, (2 + 4) + (2 + 3 + 1))


if __name__ == "__main__":
    unittest.main()
