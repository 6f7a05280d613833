"""The tests on Debian's kernels: linelint against pahole, and the precision of the shipped profile.

    check.py --linelint PROGRAM VMLINUX_6.12 VMLINUX_6.1

Prints a line a test, and ends with `N passed, N failed`; exits 1 when one failed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
import traceback

import compare
import linelint
import pahole
import precision
import suggestions
import variables

SCHEMA = os.path.join(os.path.dirname(__file__), "..", "..", "samples", "schema", "linelint-report.schema.json")
ROWS_AT_LEAST = 5000  # of a kernel, else pahole has not read it all


class Suite:
    def __init__(self):
        self.passed = self.failed = 0

    def test(self, name, function, *arguments):
        """A test returns a note to print, or None; it raises AssertionError or one of ours when it fails."""
        start = time.monotonic()
        try:
            note = function(*arguments)
        except (AssertionError, linelint.Failed, pahole.Unreadable, ValueError, KeyError) as error:
            self.failed += 1
            what = str(error) or traceback.format_exc()
            if isinstance(error, KeyError):
                what = f"no key {error} in the JSON\n{traceback.format_exc()}"
            print(f"FAIL  {name}\n      " + what.replace("\n", "\n      "), flush=True)
            return
        self.passed += 1
        print(f"ok    {name}{': ' + note if note else ''} ({time.monotonic() - start:.1f} s)", flush=True)


class Kernel:
    """A vmlinux, and what the two programs say of it; each is run once, when first asked for."""

    def __init__(self, program, file, series):
        self.program, self.file, self.series = program, file, series
        self.kept = {}

    def once(self, key, function):
        if key not in self.kept:
            self.kept[key] = function()
        return self.kept[key]

    def pahole(self, *options):
        sizes = self.once("sizes", lambda: pahole.run(self.file, "--sizes"))
        return self.once(("pahole", options),
                         lambda: pahole.with_sizes(pahole.parse(pahole.run(self.file, *options)), sizes))

    def list(self):
        return self.once("list", lambda: linelint.document(self.program, "--all-definitions", self.file, "list"))

    def check(self):
        return self.once("check", lambda: linelint.document(self.program, self.file, "check"))


def members_of(rows):
    stack, count = [row.members for row in rows], 0
    while stack:
        members = stack.pop()
        count += len(members)
        stack += [member.members for member in members]
    return count


def contained(kernel, options, opens, theirs_as, ours_as):
    """Are pahole's rows among ours, each seen as `theirs_as` and `ours_as` see them? A row seen as None is left out."""
    theirs = [row for row in map(theirs_as, kernel.pahole(*options)) if row]
    ours = [row for row in map(ours_as, linelint.rows(kernel.list()["structs"], opens)) if row]
    assert len(theirs) > ROWS_AT_LEAST, f"{len(theirs)} rows of pahole's only"
    compare.contained(theirs, ours)
    return f"{len(theirs)} rows with {members_of(theirs)} members"


def sees_damage(kernel):
    ours = linelint.rows(kernel.list()["structs"], linelint.always)
    count = compare.sees_damage(list(map(compare.placed, kernel.pahole("-E"))), list(map(compare.placed, ours)))
    return f"{count} damaged rows, all noticed"


def only_ours(kernel):
    structs = kernel.list()["structs"]
    theirs = kernel.pahole()
    assert len(structs) >= len(theirs), f"{len(structs)} rows, pahole has {len(theirs)}"
    twice = compare.listed_twice(theirs)
    local = sum(1 for entry in structs if entry["local"])
    several = len({(entry["kind"], entry["qualified_name"]) for entry in structs if entry["definitions"] > 1})
    return (f"{len(structs)} layouts; {local} inside functions; {several} names with several layouts, "
            f"of which pahole lists {len(twice)} twice")


def same_bytes(kernel):
    for arguments in (["--all-definitions", "--format", "json", kernel.file, "list"], [kernel.file, "list"],
                      ["--format", "json", kernel.file, "check"],
                      ["--format", "json", kernel.file, "struct", "file", "mm_struct", "irq_info", "console"]):
        one, two = (linelint.run(kernel.program, "--jobs", jobs, *arguments) for jobs in ("1", "2"))
        assert one == two, f"--jobs 1 and --jobs 2 differ: linelint {' '.join(arguments)}"


def as_btf_has_it(member):
    """Types as pahole writes them into BTF: an array has one dimension, one without elements is []."""
    def product(found):
        count = 1
        for number in re.findall(r"\d+", found[0]):
            count *= int(number)
        return f"[{count}]"
    text = re.sub(r"(?:\[\d+\]){2,}", product, member.type.replace("()", "(void)"))
    return member._replace(type=text.replace("[0]", "[]"))


def from_btf(kernel):
    """Every layout of DWARF is there in the BTF of the same file, with all members, and no other."""
    listed = linelint.document(kernel.program, "--from", "btf", "--all-definitions", kernel.file, "list")["structs"]
    sides = []
    for structs in (kernel.list()["structs"], listed):
        rows = linelint.rows(structs, linelint.always)
        sides.append({compare.with_members(row, as_btf_has_it)._replace(gaps=row.gaps) for row in rows})
    dwarf, btf = sides
    assert len(dwarf) > ROWS_AT_LEAST, f"{len(dwarf)} rows only"
    compare.contained(sorted(dwarf, key=str), sorted(btf, key=str))
    compare.contained(sorted(btf, key=str), sorted(dwarf, key=str))
    return f"{len(dwarf)} layouts"


def valid(kernel):
    import jsonschema  # slow to load, and not needed to read this file's other tests

    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft202012Validator(schema)
    listed = kernel.list()
    shown = linelint.document(kernel.program, kernel.file, "struct", "file", "page", "files_struct")
    for what, document in (("struct", shown), ("check", kernel.check()), ("list", listed)):
        error = next(validator.iter_errors(document), None)
        assert error is None, f"{what}: {list(error.absolute_path)}: {error.message[:500]}"
    assert listed["summary"]["structs"] == len(listed["structs"]), "summary.structs is not the number of structs"
    return f"struct, check, and list with {len(listed['structs'])} structs"


def main_job(kernel):
    """The three structs of the issue: exit 0 with the shipped profile, and what pahole says of their sizes."""
    names = ["file", "page", "files_struct"]
    structs = linelint.document(kernel.program, kernel.file, "struct", *names)["structs"]
    assert [entry["name"] for entry in structs] == names, "other structs, or another order, than asked for"
    sizes = {row.name: row.size for row in kernel.pahole() if row.kind == "struct"}
    for entry in structs:
        assert entry["size"] == sizes[entry["name"]], f"{entry['name']}: {entry['size']} bytes"
        assert entry["line_size"] == 64 and entry["lines"] == -(-entry["size"] // 64), f"{entry['name']}: lines"
    text = linelint.run(kernel.program, kernel.file, "struct", *names).decode()
    for word in ("f_count", "file_lock", "compound_head", "LL001"):
        assert word in text, f"no {word} in the report"
    return ", ".join(f"{entry['name']} {entry['size']}" for entry in structs)


def absent(kernel):
    done = subprocess.run([kernel.program, kernel.file, "struct", "files_strut"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 2, f"exit {done.returncode}, not 2"
    assert done.stdout == "", "something on standard output"
    assert done.stderr.count("\n") == 1, f"not one line: {done.stderr}"
    assert "files_struct" in done.stderr, f"files_struct is not offered: {done.stderr}"


def tests_of(suite, kernel):
    tag = kernel.series
    unnamed, every, placed = linelint.has_unnamed_type, linelint.always, compare.placed
    suite.test(f"{tag}: pahole's rows are among ours", contained, kernel, (), unnamed, placed, placed)
    suite.test(f"{tag}: so they are with all nested members", contained, kernel, ("-E",), every, placed, placed)
    suite.test(f"{tag}: so they are with the declared types", contained, kernel, (), unnamed,
               compare.typed_by_pahole, compare.typed_by_us)
    suite.test(f"{tag}: holes and padding are pahole's", contained, kernel, (), unnamed,
               compare.with_gaps, compare.with_gaps)
    suite.test(f"{tag}: the comparison notices damage", sees_damage, kernel)
    suite.test(f"{tag}: all definitions", only_ours, kernel)
    suite.test(f"{tag}: struct file page files_struct", main_job, kernel)
    suite.test(f"{tag}: a name that does not exist", absent, kernel)
    suite.test(f"{tag}: the same bytes with one thread and with two", same_bytes, kernel)
    suite.test(f"{tag}: BTF says what DWARF says", from_btf, kernel)
    suite.test(f"{tag}: JSON is as its schema says", valid, kernel)
    precision.tests_of(suite, kernel)
    suggestions.tests_of(suite, kernel)
    variables.tests_of(suite, kernel)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--linelint", required=True)
    arguments.add_argument("new")
    arguments.add_argument("old")
    options = arguments.parse_args()
    suite = Suite()
    suite.test("pahole's faults in types are real", compare.faults_are_real, os.path.abspath(options.linelint))
    for file, series in ((options.new, "6.12"), (options.old, "6.1")):
        tests_of(suite, Kernel(os.path.abspath(options.linelint), file, series))
    print(f"{suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0


if __name__ == "__main__":
    sys.exit(main())
