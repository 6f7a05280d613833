"""unit/: the cmocka programs of tests/unit, a test for each of their cases."""

import re

from .common import Failure, Test


def run(context, program):
    result = context.run([program], environment={"CMOCKA_MESSAGE_OUTPUT": "TAP"}, timeout=300, may_crash=True)
    lines = (result.out + "\n" + result.err).splitlines()
    cases, notes = [], []
    for line in lines:
        match = re.match(r"(not )?ok \d+ - (\S+)", line)
        if match:
            cases.append((match[2], "\n".join(notes) or str(result) if match[1] else None))
            notes = []
        elif line.startswith("#"):
            notes.append(line)
    bad = any(failure for _, failure in cases)
    if not cases or (result.status != 0 and not bad):
        raise Failure(str(result))
    return cases


def tests(context):
    for source in sorted((context.root / "tests/unit").glob("test_*.c")):
        program = context.build / "tests" / source.stem
        yield Test(f"unit/{source.stem[5:]}", lambda program=program: run(context, program.resolve()))
