"""layouts/: the five cases: layouts/cases.tsv says what each layout must show. Every profile must fit its schema."""

import csv
import json
import re

from .common import Failure, Skip, Test, check, members, pretty

EXPECTATION = re.compile(r"(?P<absent>!)?(?:(?P<struct>\w+)/)?(?:size=(?P<size>\d+)|(?P<rule>LL\d+)"
                         r"(?::(?P<written>[\w.\[\]]+)(?:>(?P<reader>[\w.\[\]]+))?)?)")


FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"]


def rows(context):
    lines = (context.root / "layouts/cases.tsv").read_text().splitlines()
    return list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))


def name_of(row):
    return f"{row['source'][:-2]}-{row['step']}"


def compile_row(context, row, compiler="gcc"):
    if row["bits"] == "32":
        context.need_m32(compiler)
    binary = context.scratch / "layouts" / f"{name_of(row)}-{compiler}.o"
    flags = [*FLAGS, "-g", f"-DVARIANT={row['variant']}", f"-DLINE={row['compiled_line']}", "-c"]
    flags += ["-m32"] if row["bits"] == "32" else []
    context.compile(compiler, flags, [f"layouts/{row['source']}"], binary)
    return binary


def found(findings, rule, written, reader, infos):
    """An info is not enough for a pair to be flagged (but for rules that know no more), and too much for it to be gone."""
    return any(finding["rule"] == rule and (not written or finding["fields"][0] == written)
               and (not reader or reader in finding["fields"][1:])
               and (infos or rule in ("LL004", "LL006", "LL008") or finding["severity"] != "info")
               for finding in findings)


def report(context, row, binary, output="json"):
    profile = f"layouts/{row['profile']}"
    return context.linelint("--verbose", "--format", output, "--profile", profile, "--line-size", row["line"],
                            binary, "struct", *row["structs"].split())


def expectations(context, row, compiler):
    """What the row expects must hold."""
    result = report(context, row, compile_row(context, row, compiler))
    structs = {struct["name"]: struct for struct in json.loads(result.out)["structs"]}
    check(list(structs) == row["structs"].split(), f"other structs than asked for\n{result}")
    faults = []
    for word in row["expect"].split():
        match = EXPECTATION.fullmatch(word)
        check(match, f"layouts/cases.tsv: not understood: {word}")
        struct = structs[match["struct"] or row["structs"].split()[0]]
        if match["size"]:
            good = struct["size"] == int(match["size"])
        else:
            # a name that the layout does not have would make any "!" true
            check(not match["written"] or match["written"] in members(struct) or match["absent"],
                  f"layouts/cases.tsv: {word}: {struct['name']} has no {match['written']}")
            good = found(struct["findings"], match["rule"], match["written"], match["reader"],
                         infos=bool(match["absent"])) != bool(match["absent"])
        if not good:
            faults.append(word)
    if faults:
        lines = [f"{struct['name']} {struct['size']}: {finding['rule']} {finding['severity']} "
                 + " ".join(finding["fields"]) for struct in structs.values() for finding in struct["findings"]]
        raise Failure("\n".join([f"does not hold: {' '.join(faults)}", *lines, f"$ {' '.join(result.argv)}"]))


def shown(context, row, output):
    """What the row looks like is a golden."""
    binary = compile_row(context, row)
    result = report(context, row, binary, output)
    check(not result.err, f"a diagnostic\n{result}")
    # as the demo calls it
    text = result.out.replace(str(binary), f"{name_of(row)}.o")
    golden = context.root / "tests/golden/cases" / f"{name_of(row)}.{output}"
    context.golden(golden, pretty(json.loads(text)) if output == "json" else text)


def all_lines(context, source, compiler):
    """Every variant of a source, for every line and both word sizes, states its figures to the compiler."""
    text = (context.root / "layouts" / source).read_text()
    variants = re.findall(r"^#define ([A-Z_]+) \d$", text, re.M)
    check(len(variants) > 1, f"{source} has no variants")
    for bits in ("64", "32"):
        try:
            if bits == "32":
                context.need_m32(compiler)
        except Skip:
            continue
        for line in (["16"] if source == "page.c" else []) + ["32", "64", "128"]:
            for variant in variants:
                context.good([compiler, *FLAGS, f"-m{bits}", f"-DVARIANT={variant}", f"-DLINE={line}",
                              "-fsyntax-only", f"layouts/{source}"])


def smaller_slab(context):
    """With objects aligned to 64 instead of 128 the i386 object goes from 448 bytes to 256."""
    text = (context.root / "layouts/files_struct.yaml").read_text()
    check(text.count("alignment: 128") == 1, "layouts/files_struct.yaml states the alignment otherwise")
    profile = context.scratch / "layouts" / "files_struct-64.yaml"
    profile.parent.mkdir(parents=True, exist_ok=True)
    profile.write_text(text.replace("alignment: 128", "alignment: 64"))
    for row in rows(context):
        if row["source"] == "files_struct.c" and row["bits"] == "32":
            report = context.linelint("--verbose", "--profile", profile, compile_row(context, row), "struct",
                                      "files_struct").out
            stride = {"BEFORE": 448, "AFTER": 512, "AFTER_LONG": 256}[row["variant"]]
            check(f"one every {stride} bytes" in " ".join(report.split()), report)


def schema(context, name):
    """A profile that fits what editors are told."""
    import jsonschema
    import yaml
    document = yaml.safe_load((context.root / "layouts" / name).read_text())
    path = context.root / "samples/schema/linelint-profile.schema.json"
    if not path.exists():
        raise Skip("no schema of profiles yet")
    for error in jsonschema.Draft202012Validator(json.loads(path.read_text())).iter_errors(document):
        raise Failure(f"layouts/{name}: {error.json_path}: {error.message[:300]}")


def demo(context):
    """layouts/demo.sh shows every row it should, and succeeds."""
    result = context.good(["layouts/demo.sh"], environment={"LINELINT": context.program})
    wanted = sum(row["show"] == "demo" for row in rows(context))
    check(result.out.count("$ ./linelint --verbose ") + result.out.count(": not shown") == wanted, str(result))


def tests(context):
    for source in sorted({row["source"] for row in rows(context)}):
        for compiler in ("gcc", "clang"):
            yield Test(f"layouts/figures/{source[:-2]}-{compiler}",
                       lambda s=source, c=compiler: all_lines(context, s, c))
    for row in rows(context):
        for compiler in ("gcc", "clang"):
            yield Test(f"layouts/expect/{name_of(row)}-{compiler}",
                       lambda r=row, c=compiler: expectations(context, r, c))
        for output in ("json", "text"):
            if (context.root / "tests/golden/cases" / f"{name_of(row)}.{output}").exists():
                yield Test(f"layouts/shown/{name_of(row)}.{output}",
                           lambda r=row, o=output: shown(context, r, o))
    yield Test("layouts/smaller-slab", lambda: smaller_slab(context))
    for profile in sorted((context.root / "layouts").glob("*.yaml")):
        yield Test(f"layouts/schema/{profile.name}", lambda n=profile.name: schema(context, n))
    yield Test("layouts/demo", lambda: demo(context))
