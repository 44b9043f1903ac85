"""OpenCode, which reads an index of raw files. See matrix.py for what a row is."""

import json

from packages import files


def opencode_urls(home):
    """The server sends each file. A host of files has `SKILL.md`, which is all that `withdrawn` has."""
    settings = home.folder / ".config/opencode/opencode.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"skills": {"urls": [f"{home.place.url}/team/.well-known/skills/"]}}))
    [program] = home.modules.glob("opencode-linux-*/bin/opencode")

    def loaded():
        """The skills that the client has, without its own."""
        output = home.run(program, "debug", "skill", "--pure")
        listed = json.loads(output[output.index("[\n"):])
        return {skill["name"]: skill for skill in listed if "/.cache/" in skill["location"]}

    before = loaded()
    assert set(before) == ({"hello", "removed", "withdrawn"} if home.place.is_program else {"withdrawn"}), before
    yield
    after = loaded()
    if not home.place.is_program:
        return "one file"
    assert "This is 1.1.0." in after["hello"]["content"], after
    [folder] = {path.parent for path in home.folder.glob(".cache/opencode/skills/**/hello/SKILL.md")}
    for name, (content, _) in files("hello", "1.1.0").items():
        assert (folder / name).read_bytes() == content, name
    return "ok"


ROWS = [opencode_urls]
