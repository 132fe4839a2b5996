# SPDX-License-Identifier: Apache-2.0
"""The page of the HTTP API, made from apps/server/openapi.yaml. As a hook of mkdocs it adds api.md to the site (mkdocs.yml);
as a program it prints the page: python3 scripts/api_page.py. Needs PyYAML, which comes with mkdocs."""
import json
import pathlib

import yaml

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "apps/server/openapi.yaml"
METHODS = ("get", "post", "patch", "delete")


def on_files(files, config):
    from mkdocs.structure.files import File
    files.append(File.generated(config, "api.md", content=page(yaml.safe_load(SOURCE.read_text()))))
    return files


def page(description):
    return "\n".join(Page(description).lines()) + "\n"


class Page:
    def __init__(self, description):
        self.all = description

    def resolved(self, node):
        while "$ref" in node:
            found = self.all
            for key in node["$ref"].removeprefix("#/").split("/"):
                found = found[key]
            node = found
        return node

    def lines(self):
        info = self.all["info"]
        yield from (f"# {info['title']} over HTTP", "", "[service.md](service.md) has examples. Addresses are below "
                    f"`{self.all['servers'][0]['url']}`; the same description for programs: `{self.all['servers'][0]['url']}/openapi.yaml`.",
                    "", text(info["description"]), "")
        error = self.all["components"]["responses"]["Error"]
        yield from ("Errors: " + text(error["description"]).rstrip(".") + ".", "")
        for tag in self.all["tags"]:
            yield from (f"## {tag['name'].capitalize()}", "", tag["description"] + ".", "")
            for path, item in self.all["paths"].items():
                for method in METHODS:
                    if tag["name"] in item.get(method, {}).get("tags", ()):
                        yield from self.operation(method, path, item[method], item.get("parameters", []))
        yield from ("## Objects", "")
        for name, schema in self.all["components"]["schemas"].items():
            yield from self.schema(name, schema)

    def operation(self, method, path, operation, shared):
        yield from (f"### `{method.upper()} {path}` {{ #{operation['operationId']} }}", "", text(operation["summary"]) + ".", "")
        if "description" in operation:
            yield from (text(operation["description"]), "")
        given = [self.resolved(parameter) for parameter in [*shared, *operation.get("parameters", [])]]
        given = [parameter for parameter in given if parameter["in"] != "path"]
        if given:
            yield from table("given", [(f"`{p['name']}` ({p['in']})", self.kind(p["schema"]), p.get("description", "")) for p in given])
        body = self.resolved(operation.get("requestBody", {}))
        for media, content in body.get("content", {}).items():
            yield from self.body(f"Body, `{media}`", content)
        for status, response in operation["responses"].items():
            if status == "default":
                continue
            response = self.resolved(response)
            answer = f"Answer {status} ({text(response['description'])})"
            if "content" not in response:
                yield from (answer + ".", "")
            for media, content in response.get("content", {}).items():
                yield from self.body(f"{answer}, `{media}`", content)

    def body(self, title, content):
        schema = content["schema"]
        yield from (f"{title}: {self.kind(schema)}".rstrip(": ") + ".", "")
        if "$ref" not in schema:
            yield from self.properties(schema)
        if "example" in content:
            example = content["example"]
            words = example if isinstance(example, str) else json.dumps(example)
            yield from ("```", words.rstrip(), "```", "")

    def schema(self, name, schema):
        yield from (f"### {name} {{ #object-{name.lower()} }}", "")
        parts = schema.get("allOf", [schema])
        for part in parts:
            if "$ref" in part:
                yield from (f"Everything of {self.kind(part)}, and:", "")
            elif "properties" not in part:
                yield from (f"{self.kind(part)}. {part.get('description', '')}".rstrip() + ("" if not part.get("description") else "."), "")
            else:
                if "description" in part:
                    yield from (part["description"] + ".", "")
                yield from self.properties(part)

    def properties(self, schema):
        required = schema.get("required", [])
        rows = [(f"`{name}`" + ("" if name in required else " (optional)"), self.kind(one), one.get("description", ""))
                for name, one in schema.get("properties", {}).items()]
        if rows:
            yield from table("key", rows)

    def kind(self, schema):
        """A schema in words: "list of [Trial](#object-trial)", "integer from 1 to 1000"."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return f"[{name}](#object-{name.lower()})"
        if "oneOf" in schema and "type" not in schema:
            return " or ".join(self.kind(one) for one in schema["oneOf"])
        if "enum" in schema:
            return ", ".join(f"`{word}`" for word in schema["enum"])
        names = schema.get("type", "")
        names = " or ".join(names) if isinstance(names, list) else names
        if names == "array":
            words = f"list of {self.kind(schema.get('items', {})) or 'anything'}"
        elif names == "object" and schema.get("properties"):
            words = "object of " + ", ".join(f"`{name}`" for name in schema["properties"])
        else:
            words = names
        low, high = schema.get("minimum", schema.get("minItems")), schema.get("maximum", schema.get("maxItems"))
        words += f", above {schema['exclusiveMinimum']}" if "exclusiveMinimum" in schema else ""
        words += f", at least {low}" if low is not None else ""
        words += f", at most {high:.10g}" if high is not None and high < 2**53 - 1 else ""
        words += f", at most {schema['maxLength']} characters" if "maxLength" in schema else ""
        return words + (f", default {json.dumps(schema['default'])}" if "default" in schema else "")


def text(words):
    return " ".join(words.split())


def table(first, rows):
    yield from (f"| {first} | kind | meaning |", "|---|---|---|")
    for row in rows:
        yield "| " + " | ".join(text(cell).replace("|", "\\|") for cell in row) + " |"
    yield ""


if __name__ == "__main__":
    print(page(yaml.safe_load(SOURCE.read_text())), end="")
