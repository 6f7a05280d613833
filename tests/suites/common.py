"""What all suites share: running programs, the tool's contract at every run, goldens."""

import dataclasses
import difflib
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
from typing import Callable, Optional


class Failure(Exception):
    """The test failed; its text says how."""


class Skip(Exception):
    """The machine lacks what the test needs; its text says what."""


@dataclasses.dataclass
class Test:
    name: str  # "suite/what"
    run: Callable[[], Optional[list]]  # returns None, or (name, failure or None) for each when it is many in one


@dataclasses.dataclass
class Result:
    argv: list
    status: int
    out: str
    err: str

    def __str__(self):
        return f"$ {' '.join(self.argv)}\nexit {self.status}\n{tail(self.out)}{tail(self.err)}"


def tail(text, lines=40):
    parts = text.splitlines(keepends=True)
    return text if len(parts) <= lines else f"[{len(parts) - lines} lines]\n" + "".join(parts[-lines:])


def check(condition, text):
    if not condition:
        raise Failure(text)


def diff(expected, actual, expected_name, actual_name):
    return "".join(difflib.unified_diff(expected.splitlines(keepends=True), actual.splitlines(keepends=True),
                                        expected_name, actual_name))


# What the tool may take for one hostile file. A sanitizer's shadow is terabytes of address space, so that there its own limit
# on resident memory holds, and it is many times slower.
HOSTILE_BYTES = 2 << 30
HOSTILE_SECONDS = 10
SANITIZED_SLOWER = 6


class Context:
    def __init__(self, update=False, seed=1):
        self.root = pathlib.Path(__file__).resolve().parents[2]
        os.chdir(self.root)
        self.build = pathlib.Path(os.environ.get("BUILD", "build/plain"))
        self.program = str(pathlib.Path(os.environ.get("LINELINT", self.build / "linelint")).resolve())
        self.scratch = self.build / "scratch"
        self.update = update
        self.seed = seed
        self.cc = os.environ.get("CC", "cc")
        self.sanitized = bool(os.environ.get("SANITIZE"))
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1")
        for name in ("COLUMNS", "BUILD", "LINELINT", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
            self.environment.pop(name, None)
        if self.sanitized:
            # A sanitizer's own exit status is 1, which would pass for findings: it must abort, and unguarded.
            self.environment.update(ASAN_OPTIONS="abort_on_error=1", LINELINT_NO_GUARD="1",
                                    UBSAN_OPTIONS="abort_on_error=1:print_stacktrace=1")
        self._lock = threading.Lock()

    # -- programs

    def run(self, argv, timeout=120, cwd=None, environment=None, stdin=None, may_crash=False):
        """Runs a program; a signal or too much time is a failure."""
        argv = [str(arg) for arg in argv]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                                   env=dict(self.environment, **(environment or {})), start_new_session=True)
        try:
            out, err = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its guarded child too
            process.communicate()
            raise Failure(f"$ {' '.join(argv)}\nnot done after {timeout} s") from None
        result = Result(argv, process.returncode, out.decode(errors="backslashreplace"),
                        err.decode(errors="backslashreplace"))
        check(may_crash or process.returncode >= 0, str(result))
        return result

    def good(self, argv, **options):
        """Runs a program that must exit with 0."""
        result = self.run(argv, **options)
        check(result.status == 0, str(result))
        return result

    def linelint(self, *args, status=(0, 1), **options):
        """Runs linelint; whatever it is asked, its contract is checked."""
        return self.contract(self.run([self.program, *args], **options), status)

    def contract(self, result, status, validate=True):
        """What holds for every run; of many runs only some are held against the schema, which takes long."""
        allowed = (status,) if isinstance(status, int) else status
        check(result.status in allowed, f"exit status is none of {allowed}\n{result}")
        if result.status == 2:
            check(result.err, f"exit status 2, and no reason given\n{result}")
        for line in result.err.splitlines():
            check(line.startswith("linelint: "), f"a diagnostic of another form: {line!r}\n{result}")
        if validate and result.out.startswith("{"):
            self.validate(result)
        return result

    def hostile(self, *args, status=(0, 1, 2), guard=True, validate=True, environment=None, **options):
        """linelint on a file that is not to be trusted: bounded in time and memory, whatever it is asked."""
        environment = dict(environment or {})
        program = ["sh", "-c", f'ulimit -v {HOSTILE_BYTES >> 10}; exec "$0" "$@"', self.program]
        seconds = HOSTILE_SECONDS
        if self.sanitized:
            program = [self.program]
            seconds *= SANITIZED_SLOWER
            environment["ASAN_OPTIONS"] = f"abort_on_error=1:hard_rss_limit_mb={HOSTILE_BYTES >> 20}"
        if not guard:
            environment["LINELINT_NO_GUARD"] = "1"
        result = self.run([*program, *args], timeout=seconds, environment=environment, **options)
        return result if result.status < 0 else self.contract(result, status, validate)

    def json(self, *args, **options):
        """linelint --format json ARGS, as a document."""
        result = self.linelint("--format", "json", *args, **options)
        check(result.out.startswith("{"), f"no JSON\n{result}")
        return json.loads(result.out)

    # -- schemas

    def close(self, schema):
        """The schema as strict as this version of the program: what is shipped lets later keys pass, we do not."""
        if isinstance(schema, list):
            return [self.close(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        closed = {key: self.close(part) for key, part in schema.items()}
        if isinstance(closed.get("properties"), dict) and closed.get("type") == "object":
            closed.setdefault("additionalProperties", False)
        return closed

    @functools.cached_property
    def report_validator(self):
        return self.validator("report")

    @functools.cached_property
    def replay_validator(self):
        return self.validator("replay")

    @functools.cached_property
    def diff_validator(self):
        return self.validator("diff")

    def validator(self, name):
        import jsonschema
        text = (self.root / f"samples/schema/linelint-{name}.schema.json").read_text()
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(self.close(schema))

    def validate(self, result):
        try:
            document = json.loads(result.out)
        except ValueError as error:
            raise Failure(f"not JSON: {error}\n{result}") from None
        with self._lock:
            validator = (self.replay_validator if "replay" in document else
                         self.diff_validator if "changes" in document else self.report_validator)
        for error in validator.iter_errors(document):
            raise Failure(f"not as the schema says: at {error.json_path}: {error.message[:300]}\n"
                          f"$ {' '.join(result.argv)}")

    # -- compilers

    def compile(self, compiler, flags, sources, output):
        """Compiles; `output` is made with its directory."""
        output = pathlib.Path(output)
        output.parent.mkdir(parents=True, exist_ok=True)
        self.need(compiler)
        return self.good([compiler, *flags, *sources, "-o", output])

    def need(self, tool):
        if not shutil.which(tool):
            raise Skip(f"{tool} is missing")

    def need_m32(self, compiler="gcc", link=False):
        problem = self._m32(compiler, link)
        if problem:
            raise Skip(problem)

    @functools.lru_cache
    def _m32(self, compiler, link):
        if not shutil.which(compiler):
            return f"{compiler} is missing"
        argv = [compiler, "-m32", "-x", "c", "-", "-o", "/dev/null", *([] if link else ["-c"])]
        if self.run(argv, stdin=b"int main(void) { return 0; }\n").status:
            return f"{compiler} -m32 makes no programs here" if link else f"{compiler} has no -m32 here"
        return None

    # -- goldens

    def golden(self, path, actual):
        """Compares with the text of a golden, or rewrites it with --update."""
        path = pathlib.Path(path)
        if self.update:
            if not path.exists() or path.read_text() != actual:
                path.write_text(actual)
                print(f"updated {path.relative_to(self.root) if path.is_absolute() else path}")
            return
        expected = path.read_text()
        if expected != actual:
            raise Failure(diff(expected, actual, str(path), "now"))


def pretty(document):
    """A report as a golden keeps it: a line a value, without what changes from version to version."""
    document["tool"]["version"] = "any"
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def members(struct):
    """The named members of a struct of a report in preorder, by path; unnamed aggregates are transparent."""
    found = {}

    def walk(items, prefix):
        for item in items:
            path = prefix
            if item["name"]:
                path = prefix + item["name"]
                check(path not in found, f"{struct['name']}: member {path} is there twice")
                found[path] = item
                path += "."
            walk(item["members"], path)

    walk(struct["members"], "")
    return found
