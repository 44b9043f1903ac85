"""The client of fastmcp: the handshake of 2025-11-25, and the revision 2026-07-28 with the skills extension."""

import base64
import hashlib

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError
from fastmcp.skills.client import SkillsClientExtension

from registry import SKILLS


def over_stdio(program, arguments, folder):
    # Each client starts a process of its own.
    return StdioTransport(
        program, ["mcp", *arguments], cwd=str(folder), env={"HOME": str(folder)}, keep_alive=False
    )


def over_http(url):
    return StreamableHttpTransport(url)


async def reads_everything(transport):
    """Lists and reads all skills by the extension, with the check of each digest."""
    async with Client(transport, extensions=[SkillsClientExtension()]) as client:
        assert client.protocol_version == "2026-07-28", client.protocol_version
        skills = {skill.frontmatter.name: skill for skill in await client.list_skills()}
        assert len(skills) == 72, sorted(skills)
        for slug in ("hello", "pdf-forms"):
            skill, contents = skills[slug], SKILLS[slug]
            assert await client.get_skill(skill.uri) == skill
            assert len(skill.resources) == len(contents)
            for resource in skill.resources:
                content = await read(client, resource.uri)
                assert content in contents.values(), resource.uri
                assert len(content) == resource.size
                assert f"sha256:{hashlib.sha256(content).hexdigest()}" == resource.digest
        assert skills["pdf-forms"].frontmatter.metadata == {"steps": "2", "author": "Zoë"}


async def read(client, uri):
    [content] = await client.read_resource(uri)
    text = getattr(content, "text", None)
    return text.encode() if text is not None else base64.b64decode(content.blob)


async def uses_tools(transport):
    """Finds a skill and shows it with the tools, as an agent without the extension does."""
    async with Client(transport) as client:
        assert {tool.name for tool in await client.list_tools()} == {"search_skills", "show_skill"}
        found = await client.call_tool("search_skills", {"query": "pdf"})
        assert [skill["skill"] for skill in found.structured_content["results"]] == ["@global/pdf-forms"]
        shown = await client.call_tool("show_skill", {"skill": "@global/pdf-forms"})
        assert len(shown.structured_content["files"]) == 4
        assert shown.content[1].resource.text.startswith("---\nname: pdf-forms\n")
        try:
            await client.call_tool("show_skill", {"skill": "@global/nothing"})
            raise AssertionError("a skill that does not exist is shown")
        except ToolError as why:
            assert "find one with search_skills" in str(why), why
        [template] = await client.list_resource_templates()
        assert template.uri_template.startswith("skill://"), template
        assert await client.list_resources() == []


async def installs(transport, folder):
    """Installs a skill into the folder that the server may write to."""
    async with Client(transport) as client:
        done = await client.call_tool("install_skill", {"skill": "pdf-forms"})
        assert done.structured_content["status"] == "installed", done
    for path, content in SKILLS["pdf-forms"].items():
        assert (folder / "pdf-forms" / path).read_bytes() == content, path
