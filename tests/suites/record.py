"""record/: programs that are recorded have exactly the accesses that they do; the file and the traces say so.

The programs are tests/record/*.c and *.cc, compiled with -fsanitize=thread by gcc, which is the reference, and clang, which
drops the read of `x++`.
"""

import re
import shutil

from .common import Failure, Skip, Test, check, diff

COMPILERS = ("gcc", "clang")
FIRST_WORDS = ["linelint-record", "build-id", "program", "role", "class", "global", "threads", "count", "operation", "other",
               "outside", "saturated", "trace", "end"]


class Record:
    """A record file: its lines by their first word."""

    def __init__(self, path):
        self.text = path.read_text()
        self.lines = [line.split(" ") for line in self.text.splitlines()]
        check(self.lines and self.lines[-1] == ["end", str(len(self.lines) - 1)], f"no end, or a wrong one\n{self.text}")
        check(self.lines[0] == ["linelint-record", "1"], self.text)
        places = [FIRST_WORDS.index(line[0]) for line in self.lines]
        check(places == sorted(places), f"lines out of order\n{self.text}")
        self.roles = {line[1]: line[2] for line in self.of("role")}

    def of(self, word):
        return [line for line in self.lines if line[0] == word]

    def rest(self, word, *, globals=False):
        """The lines of a word, without it and with names for roles."""
        found = []
        for line in self.of(word):
            if line[1] == "g" and not globals:
                continue
            words = line[1:]
            if word in ("threads", "count", "operation", "other", "outside"):
                words[1] = self.roles[words[1]]
            found.append(" ".join(words))
        return found

    def expect(self, word, *wanted):
        """Exactly these lines of a word, in any order."""
        found = self.rest(word)
        if sorted(found) != sorted(wanted):
            raise Failure(diff("\n".join(sorted(wanted)) + "\n", "\n".join(sorted(found)) + "\n", f"wanted {word}", f"found {word}")
                          + self.text)

    def counts(self, word="count"):
        """{(class, role, kind, offset, size): count}"""
        found = {}
        for line in self.of(word):
            key = (line[1], self.roles[line[2]], line[3], line[4], line[5])
            check(key not in found, f"twice: {line}\n{self.text}")
            found[key] = int(line[6])
        return found


class Programs:
    def __init__(self, context):
        self.context = context
        self.library = context.build / "liblinelint-record.a"

    def directory(self, name):
        directory = (self.context.scratch / "record" / name).resolve()
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        return directory

    def build(self, directory, source, compiler, flags=(), link=()):
        """-> the program"""
        cxx = {"gcc": "g++", "clang": "clang++"}[compiler] if source.endswith(".cc") else compiler
        standard = "-std=c++17" if source.endswith(".cc") else "-std=c11"
        self.context.compile(cxx, [standard, "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=thread", "-D_GNU_SOURCE", "-DLINELINT_RECORD",
                                   "-Isrc/record", "-c", *flags], [f"tests/record/{source}"], directory / "program.o")
        self.context.compile(cxx, [*link], [directory / "program.o", self.library, "-pthread"], directory / "program")
        return directory / "program"

    def run(self, directory, environment=None, status=0, arguments=()):
        result = self.context.run([directory / "program", *arguments], cwd=directory, environment=environment)
        check(result.status == status, f"exit status is not {status}\n{result}")
        return result

    def record(self, name, source, compiler, flags=(), link=(), environment=None, arguments=()):
        directory = self.directory(f"{name}-{compiler}")
        self.build(directory, source, compiler, flags, link)
        result = self.run(directory, environment, arguments=arguments)
        check(not result.err, str(result))
        return Record(directory / "linelint.record")


# ---- hooks

def hooks_of_compilers(context, directory):
    """What the sources of all kinds of accesses call, and what the compilers' own texts name."""
    wanted = set()
    variants = {"gcc": [[], ["--param=tsan-distinguish-volatile=1"]],
                "clang": [[], ["-mllvm", "-tsan-distinguish-volatile=1"], ["-mllvm", "-tsan-instrument-read-before-write=1"],
                          ["-mllvm", "-tsan-compound-read-before-write=1"]]}
    for compiler in COMPILERS:
        for level in ("-O0", "-O1", "-O2", "-O3"):
            for extra in variants[compiler]:
                for source, cxx in (("hooks.c", compiler), ("hooks.cc", {"gcc": "g++", "clang": "clang++"}[compiler])):
                    output = directory / "hooks.o"
                    context.compile(cxx, [level, "-mcx16", "-fsanitize=thread", "-Isrc/record", "-c", *extra],
                                    [f"tests/record/{source}"], output)
                    wanted |= set(re.findall(r"U (__tsan_\w+)", context.good(["nm", output]).out))
    return wanted


def hooks_of_runtimes(context):
    """The functions of tsan_interface.h, the annotations, and every hook that gcc's compiler proper can call."""
    runtime = context.good(["gcc", "-print-file-name=libtsan.so"]).out.strip()
    defined = set(re.findall(r" [TW] (\w+)", context.good(["nm", "-D", "--defined-only", runtime]).out))
    if not defined:
        raise Skip("gcc has no libtsan here")
    # of reports, of Java, of its own tests, of signals of the runtime's own: nothing that a compiler or program calls
    own = re.compile(r"__tsan_(get_|on_|java_|testonly_|locate|symbolize|default_|resume)")
    wanted = {name for name in defined if re.match(r"__tsan_|Annotate", name) and not own.match(name)}
    proper = context.good(["gcc", "-print-prog-name=cc1"]).out.strip()
    return wanted | set(re.findall(r"^(__tsan_\w+)$", context.good(["strings", "-a", proper]).out, re.M))


def hooks(context, programs):
    for tool in ("nm", "strings", "g++", "clang++"):
        context.need(tool)
    defined = set(re.findall(r" T (\w+)", context.good(["nm", programs.library]).out))
    wanted = hooks_of_compilers(context, programs.directory("hooks"))
    check(len(wanted) > 80, f"the compilers call only {sorted(wanted)}")
    wanted |= hooks_of_runtimes(context)
    check(len(wanted) > 180, f"only {len(wanted)} hooks are known")
    # what no version of the two emits yet for our sources, but the pass can
    wanted |= {f"__tsan_{place}{kind}{size}" for place in ("", "unaligned_") for kind in ("volatile_read", "volatile_write",
               "read_write", "read", "write") for size in (1, 2, 4, 8, 16) if place == "" or size > 1}
    check(wanted <= defined, f"not there: {sorted(wanted - defined)}")


# ---- counts

KINDS = {
    "r 0 1": 3, "r 2 2": 3, "r 4 4": 10, "r 8 8": 3, "r 32 4": 3, "r 40 4": 3, "r 68 4": 3, "r 73 4": 3,
    "w 0 1": 5, "w 2 2": 5, "w 8 8": 5, "w 16 16": 5, "w 40 8": 5, "w 73 4": 5, "w 80 8": 5, "w 4 4": 7,
    **{f"r {48 + 4 * i} 4": 2 - (i == 3) for i in range(4)}, **{f"w {48 + 4 * i} 4": 2 - (i == 3) for i in range(4)},
}


def kinds(programs, compiler):
    record = programs.record("kinds", "kinds.c", compiler)
    wanted = {**KINDS, "w 36 2": 11}
    if compiler == "clang":  # the reads of x++ are dropped
        wanted["r 4 4"] = 3
        for i in range(4):
            del wanted[f"r {48 + 4 * i} 4"]
    record.expect("count", *(f"0 all {what} {count}" for what, count in wanted.items()))
    record.expect("outside", "0 all w 32 4 2")
    record.expect("role", "0 all threads 1 operations 1")
    record.expect("threads", "0 all 1")
    record.expect("saturated")
    check(re.fullmatch(r"class 0 tag 0x[0-9a-f]+ size 96 objects 1 shared 0 threads-max 1", " ".join(record.of("class")[0])),
          record.text)


def atomics(programs, compiler):
    record = programs.record("atomics", "atomics.c", compiler, flags=["-mcx16"])
    sizes = (1, 2, 4, 8, 16) if compiler == "gcc" else (1, 2, 4, 8)
    wanted = [f"{number} all {kind} 0 {size} {6 * count}" for number, size in enumerate(sizes)
              for kind, count in (("w", 1), ("r", 1), ("x", 12))]
    record.expect("outside", *wanted)
    record.expect("count")


def threads(programs, compiler):
    record = programs.record("threads", "threads.c", compiler)
    roles = {line[2]: " ".join(line[3:]) for line in record.of("role")}
    check(roles == {"all": "threads 3 operations 2", "lookup": "threads 4 operations 3010",
                    "insert%20er": "threads 3 operations 610"}, record.text)
    shared, own = ((line[1]) for line in record.of("class"))
    check([" ".join(line[4:]) for line in record.of("class")] ==
          ["size 24 objects 1 shared 1 threads-max 8", "size 24 objects 2 shared 0 threads-max 1"], record.text)
    record.expect("count", f"{shared} lookup r 0 8 3010", f"{shared} insert%20er r 0 8 200", f"{shared} insert%20er x 8 8 610",
                  f"{own} all w 16 8 2")
    record.expect("outside", f"{shared} all w 16 8 2")
    record.expect("threads", f"{shared} lookup 4", f"{shared} insert%20er 3", f"{shared} all 2", f"{own} all 1")
    record.expect("operation", f"{shared} lookup 3010 r:0:8", f"{shared} insert%20er 410 x:8:8",
                  f"{shared} insert%20er 200 x:8:8 r:0:8", f"{own} all 2 w:16:8")
    record.expect("other")


def tests(context):
    programs = Programs(context)
    yield Test("record/hooks", lambda: hooks(context, programs))
    for compiler in COMPILERS:
        for run in (kinds, atomics, threads):
            yield Test(f"record/{run.__name__}/{compiler}", lambda r=run, c=compiler: r(programs, c))
