"""record/: programs that are recorded have exactly the accesses that they do; the file and the traces say so.

The programs are tests/record/*.c and *.cc, compiled with -fsanitize=thread by gcc, which is the reference, and clang, which
drops the read of `x++`.
"""

import os
import re
import shutil
import struct

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


# ---- signals, forks, ends

def signals(programs, compiler):
    """Exactly as many accesses as the handler has done, whatever it interrupts."""
    directory = programs.directory(f"signals-{compiler}")
    programs.build(directory, "signals.c", compiler)
    handled = int(programs.run(directory).out)
    check(handled >= 1000, f"only {handled} signals")
    record = Record(directory / "linelint.record")
    record.expect("outside", "0 all w 0 8 3001000", f"0 all x 8 8 {handled}", f"0 all w 16 8 {handled}", "0 all r 8 8 1")
    record.expect("saturated")


def storm(programs, compiler):
    directory = programs.directory(f"storm-{compiler}")
    programs.build(directory, "storm.c", compiler)
    steps, handled = map(int, programs.run(directory).out.split())
    check(steps > 100 and handled >= 500, f"{steps} steps, {handled} signals")
    record = Record(directory / "linelint.record")
    found = {**record.counts()}
    for key, count in record.counts("outside").items():
        found[key] = found.get(key, 0) + count
    check(found.get(("0", "all", "w", "0", "8")) == steps and found.get(("0", "all", "w", "8", "8")) == handled, record.text)
    check(sum(int(line[4 + 2]) for line in record.of("role")) == steps, record.text)
    record.expect("saturated")


def fork(programs, compiler):
    """The child begins anew; it has a file of its own when the name has %p, otherwise none."""
    directory = programs.directory(f"fork-{compiler}")
    programs.build(directory, "fork.c", compiler)
    programs.run(directory, {"LINELINT_RECORD": "one"})
    check(sorted(path.name for path in directory.iterdir() if path.suffix != ".o") == ["one", "program"], "other files")
    programs.run(directory, {"LINELINT_RECORD": "both.%p", "LINELINT_RECORD_TRACE": "trace.%p"})
    parent, child = sorted((Record(path) for path in directory.glob("both.*")), key=lambda record: "w 8 8" in record.text)
    for record in (parent, Record(directory / "one")):
        record.expect("count", "0 main w 0 8 1", "0 look r 0 8 1", "0 main w 16 8 1")
        record.expect("role", "0 all threads 1 operations 0", "1 main threads 1 operations 2", "2 look threads 1 operations 1")
    child.expect("count", "0 main w 8 8 2", "0 look r 0 8 1")
    child.expect("role", "0 all threads 0 operations 0", "1 main threads 1 operations 1", "2 look threads 1 operations 1")
    child.expect("threads", "0 main 1", "0 look 1")
    check("objects 1 shared 1 threads-max 2" in child.text, child.text)
    check(len(list(directory.glob("trace.*"))) == 2, "a trace each")


ENDS = {  # way: what is written
    "main": 2, "exit": 2, "quick_exit": 2, "late": 3, "_exit": None}


def ends(programs, compiler):
    directory = programs.directory(f"ends-{compiler}")
    programs.build(directory, "ends.c", compiler)
    for way, writes in ENDS.items():
        file = directory / "linelint.record"
        file.unlink(missing_ok=True)
        programs.run(directory, arguments=[way], status=3)
        check(file.exists() == (writes is not None), f"{way}: {'no' if writes else 'a'} file")
        if writes:
            # destructors of the program's run before the recorder's, except after quick_exit
            record = Record(file)
            record.expect("outside", f"0 all w 0 8 {writes + (way != 'quick_exit')}")
    for _ in range(5):
        programs.run(directory, arguments=["busy"], status=3)
        record = Record(directory / "linelint.record")
        reads, writes = (record.counts().get(("0", "all", kind, "0", "8"), 0) for kind in "rw")
        operations = int(record.of("role")[0][-1])
        check(operations > 100 and 0 <= writes - reads <= 3 and 0 <= operations - writes <= 3, record.text)


def special(programs, directory):
    """A pipe is written to and stays, a link stays, and signals of a failed write do not end the program."""
    pipe = directory / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    result = programs.run(directory, {"LINELINT_RECORD": "pipe"}, status=3)
    check(not result.err and pipe.is_fifo(), f"replaced\n{result}")
    text = os.read(reader, 1 << 16).decode()
    check(re.fullmatch(r"linelint-record 1\n(.+\n)*end \d+\n", text), text)
    os.close(reader)
    (directory / "aim").write_text("old\n")
    (directory / "link").symlink_to("aim")
    programs.run(directory, {"LINELINT_RECORD": "link"}, status=3)
    check((directory / "link").is_symlink(), "the link was replaced")
    Record(directory / "aim")
    result = programs.context.run(["bash", "-c", "ulimit -f 0; LINELINT_RECORD=limited exec ./program"], cwd=directory)
    check(result.status == 3 and "limited: cannot be written: File too large" in result.err, str(result))
    check(not (directory / "limited").exists(), "half of a file")


def files(programs, compiler):
    """None when it is not wanted or cannot be written, and that does not change how the program ends; never half of one."""
    directory = programs.directory(f"files-{compiler}")
    programs.build(directory, "ends.c", compiler)
    result = programs.run(directory, {"LINELINT_RECORD": ""}, status=3)
    check(not result.err and not (directory / "linelint.record").exists(), f"not wanted\n{result}")
    result = programs.run(directory, {"LINELINT_RECORD": "missing/file"}, status=3)
    check(re.fullmatch(r"linelint-record: /.*/missing/file: cannot be written: .*; name another file with LINELINT_RECORD\n",
                       result.err), str(result))
    result = programs.run(directory, {"LINELINT_RECORD_TRACE": "missing/trace"}, status=3, arguments=["busy"])
    check(re.fullmatch(r"linelint-record: /.*/missing/trace\.0\.trace: cannot be written: .*; "
                       r"name another file with LINELINT_RECORD_TRACE\n", result.err), str(result))
    special(programs, directory)
    for variable, value in (("LINELINT_RECORD_COUNTERS", "many"), ("LINELINT_RECORD_TRACE_EVENTS", "0"),
                            ("LINELINT_RECORD_OBJECTS", "-1"), ("LINELINT_RECORD_HEAP", "name"), ("LINELINT_RECORD_HEAP", "a=1,=2"),
                            ("LINELINT_RECORD_HEAP", "a=x")):
        result = programs.run(directory, {variable: value}, status=3)
        check(re.fullmatch(rf"linelint-record: {variable}: expected .*\n", result.err), str(result))
        Record(directory / "linelint.record")
    check(not list(directory.glob("*.tmp*")), "temporary files are left")


# ---- objects

def wraps(*names):
    return [f"-Wl,--wrap={name}" for name in names]


ALLOCATION = wraps("malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "memalign", "valloc", "posix_memalign")
MEMORY = wraps("memcpy", "memmove", "memset")
LOCKS = wraps(*(f"pthread_{name}" for name in (
    "mutex_lock", "mutex_trylock", "mutex_unlock", "spin_lock", "spin_trylock", "spin_unlock", "rwlock_rdlock", "rwlock_tryrdlock",
    "rwlock_wrlock", "rwlock_trywrlock", "rwlock_unlock")))


def reuse(programs, compiler):
    record = programs.record("reuse", "reuse.c", compiler, link=ALLOCATION, environment={"LINELINT_RECORD_HEAP": "other=7,node=72"})
    record.expect("outside", "0 all w 8 8 1", "1 all w 0 8 2", "2 all w 0 8 2", "3 all w 16 8 4")
    check([" ".join(line[-6:]) for line in record.of("class")] ==
          ["objects 1 shared 0 threads-max 1", "objects 1 shared 0 threads-max 1", "objects 2 shared 0 threads-max 1",
           "objects 4 shared 0 threads-max 1"], record.text)
    check(record.of("class")[3][2:6] == ["name", "node", "size", "72"], record.text)
    record.expect("saturated")


def said(programs, compiler):
    """An object that has a name by its size, and is tracked, is one; imported, nothing of it counts twice."""
    record = programs.record("said", "said.c", compiler, link=ALLOCATION, environment={"LINELINT_RECORD_HEAP": "table=72"})
    # the first has the tag's class; clang records no read before a write of one statement
    classes = {line[2]: line for line in record.of("class")}
    check({kind: line[line.index("objects") + 1] for kind, line in classes.items()} == {"name": "1", "tag": "1"}, record.text)
    record.expect("saturated")
    # and alone, where the class by size has no object left
    (programs.context.scratch / "record" / f"said-{compiler}" / "alone.record").write_text(
        record.text.replace("objects 1", "objects 0", 1) if record.of("class")[0][2] == "name" else record.text)
    directory = programs.context.scratch / "record" / f"said-{compiler}"
    for name, objects in (("linelint.record", 2), ("alone.record", 1)):
        profile = programs.context.linelint("profile", "import", "record", directory / name, directory / "program", status=0).out
        check(f"{objects} object" in profile, profile)


def places(programs, compiler):
    record = programs.record("places", "places.c", compiler)
    wanted = ["0 w 0 4 1", "0 w 4 4 1", "0 w 8 4 2", "0 w 12 4 1", "1 w 0 4 1", "1 w 4 4 1", "2 w 0 4 2", "3 w 4 4 1",
              "4 w 0 1 3", "4 w 1 1 3", "4 w 2 1 5", "5 w 0 1 1", "5 w 1 1 1", "5 w 2 1 1",
              "6 w 0 8 1", "6 w 8 8 1", "6 w 4096 8 1", "6 w 8184 8 1", "7 w 80 8 1"]
    copied = {"gcc": ["8 w 0 40 1", "8 r 0 40 1"], "clang": []}[compiler]  # clang calls memcpy
    record.expect("outside", *(line.replace(" ", " all ", 1) for line in wanted + copied))
    sizes = [(line[5], line[7]) for line in record.of("class")]
    check(sizes == [("16", "1"), ("8", "1"), ("8", "1"), ("16", "1"), ("3", "3"), ("3", "1"), ("8192", "1"), ("8", "1"), ("40", "1")],
          f"{sizes}\n{record.text}")
    record.expect("saturated")


def replaced(programs, compiler):
    """Locks and memcpy are in libc, which has no hooks: the linker puts the recorder's in their place."""
    # with what pkg-config says of calls that compilers would write in place, or as calls of others
    calls = re.search("^calls=(.*)$", (programs.context.root / "src/record/linelint-record.pc.in").read_text(), re.M)[1].split()
    record = programs.record("replaced", "replaced.c", compiler, flags=["-O2", "-D_FORTIFY_SOURCE=2", *calls], link=MEMORY + LOCKS)
    record.expect("count", "0 all x 0 4 6", "0 all x 40 4 4", "0 all w 40 4 2", "0 all x 48 4 9", "0 all w 104 40 1", "0 all r 104 40 2", "0 all r 104 16 1",
                  "0 all w 112 16 1", "0 all w 104 4 1")
    check("outside" not in record.text.replace("outside g", ""), record.text)


def churn(programs, compiler):
    record = programs.record("churn", "churn.c", compiler, link=ALLOCATION)
    record.expect("outside")
    small, large = (line[1] for line in sorted(record.of("class"), key=lambda line: int(line[5])))
    record.expect("count", f"{small} churn w 0 8 12000", f"{small} churn r 0 8 12000", f"{large} churn w 32 8 12000")
    record.expect("operation", f"{small} churn 12000 w:0:8 r:0:8", f"{large} churn 12000 w:32:8")
    record.expect("threads", f"{small} churn 1", f"{large} churn 1")
    check(all(" ".join(line[6:]) == "objects 12000 shared 0 threads-max 1" for line in record.of("class")), record.text)
    record.expect("saturated")


def symbols(context, program):
    return {name: int(address, 16) for address, name in re.findall(r"^(\w+) \w (\S+)$", context.good(["nm", program]).out, re.M)}


def variables(programs, compiler):
    """Accesses to variables have link-time addresses, whether or not the program is loaded elsewhere."""
    for mode, link in (("pie", ["-pie"]), ("fixed", ["-no-pie"])):
        record = programs.record(f"variables-{mode}", "variables.c", compiler, flags=[f"-f{'PIE' if mode == 'pie' else 'no-pie'}"],
                                 link=link)
        where = symbols(programs.context, programs.context.scratch / f"record/variables-{mode}-{compiler}/program")
        pair, letters, tracked = where["own_and_shared"], where["letters"], where["tracked"]
        found = record.rest("outside", globals=True)
        wanted = [f"g all w {pair:#x} 8 2", f"g all w {pair + 8:#x} 8 2", f"g all w {letters + 3:#x} 1 1", f"g all w {tracked:#x} 8 1"]
        check(found == [line for line in found if line in wanted] and len(found) == len(wanted), f"wanted {wanted}\n{record.text}")
        runs = [" ".join(line[1:]) for line in record.of("global")]
        for run in (f"g {pair:#x} bytes 8 shared 0", f"g {pair + 8:#x} bytes 8 shared 1", f"g {letters:#x} bytes 8 shared 0"):
            check(run in runs, f"no {run}\n{record.text}")
        record.expect("count", "0 all w 8 8 1", "0 all r 8 8 1")
        tag = int(record.of("class")[0][3], 16)
        check(any("linelint_tag" in name and address == tag for name, address in where.items()), record.text)
        record = programs.record(f"variables-{mode}-off", "variables.c", compiler, link=link,
                                 environment={"LINELINT_RECORD_GLOBALS": "0"})
        check(not record.of("global") and not record.of("outside"), record.text)


def neighbours(programs, compiler):
    """The loop on variables: recorded, imported, and found, with a measured error."""
    context = programs.context
    directory = programs.directory(f"neighbours-{compiler}")
    programs.build(directory, "neighbours.c", compiler, flags=["-fno-pie"], link=["-no-pie"])
    programs.run(directory)
    profile = context.linelint("profile", "import", "record", directory / "linelint.record", directory / "program", status=0).out
    check("vars:" in profile and "evidence: measured" in profile, profile)
    (directory / "p.yaml").write_text(profile)
    document = context.json("--profile", directory / "p.yaml", "--threads", "16", directory / "program", "check")
    found = document["vars"]["findings"]
    where = symbols(context, directory / "program")
    readers = {name for name in ("limit", "step") if where[name] // 64 == where["hits"] // 64}
    check(readers and found and found[0]["rule"] == "LL013" and found[0]["severity"] != "info", found)
    check(found[0]["evidence"] == "measured", found)
    check(found[0]["fields"][0] == "hits" and set(found[0]["fields"][1:]) == readers, f"{readers}\n{found}\n{profile}")
    check(int(found[0]["address"], 16) == where["hits"] & ~63, found)


def classes(programs, compiler):
    record = programs.record("classes", "classes.cc", compiler)
    counts = record.counts()
    for key, count in {("0", "caller", "r", "0", "8"): 3, ("0", "caller", "r", "8", "8"): 3, ("0", "caller", "x", "16", "8"): 3}.items():
        check(counts.get(key) == count, f"{key}\n{record.text}")
    record.expect("operation", "0 caller 3 r:0:8 r:8:8 x:16:8")
    outside = record.counts("outside")
    check(outside.get(("0", "all", "w", "0", "8")) in (1, 2), f"the vptr's writes\n{record.text}")
    check([(line[5], line[7]) for line in record.of("class")] == [("24", "1"), ("4", "1"), ("1", "1")], record.text)
    check(outside.get(("1", "caller", "w", "0", "4")) == 1 and outside.get(("2", "caller", "w", "0", "1")) == 1, record.text)


def map_of_objects(programs):
    """Random objects in a few bytes, against a list."""
    context = programs.context
    program = programs.directory("map") / "map"
    context.compile("gcc", ["-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Isrc"],
                    ["tests/record/map.c", programs.library, "-pthread"], program)
    context.good([program], environment={"LINELINT_RECORD": ""})


# ---- limits

def tables(programs, compiler):
    record = programs.record("tables", "tables.c", compiler)
    various = [line for line in record.rest("operation") if line.startswith("0 various ")]
    check(len(various) == 64 and various[0] == "0 various 4 w:504:8" and various[1] == "0 various 1 w:0:8", record.text)
    check([line for line in record.rest("operation") if " long " in line] == ["0 long 1" + " w:0:8" * 256], record.text)
    record.expect("other", "0 various 6", "0 long 1")
    record.expect("saturated", "overlaps 2")
    record = programs.record("tables-counters", "tables.c", compiler, environment={"LINELINT_RECORD_COUNTERS": "4"})
    record.expect("outside", *(f"0 all w {8 * field} 8 10" for field in range(4)))
    record.expect("count")
    # 2 fields, 10 times; 73 + 513 accesses in operations, and 6 + 1 sequences that are not kept
    record.expect("saturated", f"counters {20 + 73 + 513 + 7}", "overlaps 2")
    record = programs.record("tables-objects", "tables.c", compiler, environment={"LINELINT_RECORD_OBJECTS": "2"})
    check(record.of("class")[0][6:8] == ["objects", "2"], record.text)
    record.expect("saturated", "objects 3", "overlaps 2")


# ---- traces

class Trace:
    """A binary trace, linelint-trace(5)."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, self.flags, header, self.events_count, self.size = struct.unpack_from("<8sHHIQQ", data)
        threads, roles, objects, build_id, name = struct.unpack_from("<5I", data, 32)
        check(magic == b"\x7fLLTRACE" and version == 1 and header % 8 == 0 and not any(data[52:64]), str(data[:64]))
        at = 64
        self.build_id, at = data[at:at + build_id].hex(), at + build_id
        self.name, at = data[at:at + name].decode(), at + name
        self.roles = []
        for _ in range(roles):
            length, = struct.unpack_from("<I", data, at)
            self.roles.append(data[at + 4:at + 4 + length].decode())
            at += 4 + length
        self.threads = [self.roles[role] for role in struct.unpack_from(f"<{threads}I", data, at)]
        self.objects = struct.unpack_from(f"<{objects}Q", data, at + 4 * threads)
        at += 4 * threads + 8 * objects
        check(header == (at + 7) // 8 * 8 and not any(data[at:header]), f"a header of {header} bytes, {at} used")
        check(len(data) == header + 16 * self.events_count, f"{len(data)} bytes")
        self.events = [(self.threads[thread], bool(kind & 128), "rwx"[kind & 127], number, offset, size)
                       for thread, kind, zero, number, offset, size in struct.iter_unpack("<HBBIII", data[header:])]


def order_of_trace(programs, compiler):
    """What happens in turn is in the trace in turn; what there is no room for is left out, and that is said."""
    context = programs.context
    name = f"order-{compiler}"
    record = programs.record("order", "order.c", compiler, link=ALLOCATION, environment={
        "LINELINT_RECORD_HEAP": "object=16", "LINELINT_RECORD_TRACE": "the trace"})
    directory = (context.scratch / "record" / name).resolve()
    check(record.of("trace") == [["trace", "0", f"{directory}/the%20trace.0.trace"]], record.text)
    trace = Trace(directory / "the trace.0.trace")
    wanted = []
    for turn in range(200):
        wanted += [("ping", True, "w", turn % 2, 0, 8), ("pong", True, "r", turn % 2, 0, 8), ("pong", False, "w", turn % 2, 8, 8)]
    check(trace.events == wanted, f"{trace.events[:20]}")
    check(trace.name == "object" and trace.size == 16 and trace.flags == 0 and len(trace.objects) == 2, str(vars(trace))[:400])
    check(trace.build_id == record.of("build-id")[0][1], trace.build_id)
    replay = context.json("program", "replay", "object", "the trace.0.trace", cwd=directory, status=0)
    check(replay["replay"], "not replayed")
    programs.run(directory, {"LINELINT_RECORD_HEAP": "object=16", "LINELINT_RECORD_TRACE": "short", "LINELINT_RECORD_TRACE_EVENTS": "100"})
    trace = Trace(directory / "short.0.trace")
    check(trace.events == wanted[:100] and trace.flags == 1, f"{trace.flags}, {len(trace.events)} events")


def late(programs, compiler):
    record = programs.record("late", "late.c", compiler)
    record.expect("count", "0 worker w 0 8 3", "0 worker w 8 8 6")
    record.expect("outside")
    roles = {line[2]: " ".join(line[3:]) for line in record.of("role")}
    check(roles == {"all": "threads 1 operations 0", "worker": "threads 3 operations 3"}, record.text)


def many(programs, compiler):
    record = programs.record("many", "many.c", compiler)
    record.expect("count", "0 even w 0 8 150000", "0 odd w 0 8 150000")
    record.expect("threads", "0 even 150", "0 odd 150")
    check("objects 1000 shared 1000 threads-max 300" in record.text, record.text)
    check(sum(int(line[4]) for line in record.of("global")) == 8 * 3000, record.text)
    record.expect("saturated")
    # the pointers to the objects, and the variables, as far as half of the objects that there may be are enough
    record = programs.record("many-few", "many.c", compiler, environment={"LINELINT_RECORD_OBJECTS": "3000"})
    check(sum(int(line[4]) for line in record.of("global")) == 8 * 1500, record.text)
    record.expect("saturated", "globals 1500")


# ---- as users build

def static(programs):
    directory = programs.directory("static")
    programs.build(directory, "threads.c", "gcc", link=["-static"])
    programs.run(directory)
    check("shared 1 threads-max 8" in (directory / "linelint.record").read_text(), "not recorded")


def levels(programs):
    """At every level of optimisation; without any access, that is said."""
    for level in ("-O0", "-O2", "-O3"):
        record = programs.record("levels", "threads.c", "gcc", flags=[level])
        shared = record.of("class")[0][1] if "threads-max 8" in " ".join(record.of("class")[0]) else record.of("class")[1][1]
        for line in (f"{shared} lookup r 0 8 3010", f"{shared} insert%20er r 0 8 200", f"{shared} insert%20er x 8 8 610"):
            check(line in record.rest("count"), f"{level}: no {line}\n{record.text}")
    directory = programs.directory("levels-none")
    programs.build(directory, "threads.c", "gcc", flags=["-fno-sanitize=thread"])
    result = programs.run(directory)
    check(result.err == "linelint-record: nothing was counted: no access was reported; compile with -fsanitize=thread, and "
          "without -flto\n", str(result))
    Record(directory / "linelint.record")


def plugin(programs):
    context = programs.context
    directory = programs.directory("plugin")
    context.compile("gcc", ["-O1", "-g", "-fsanitize=thread", "-DLINELINT_RECORD", "-DLIBRARY", "-fPIC", "-Isrc/record", "-c"],
                    ["tests/record/plugin.c"], directory / "library.o")
    context.good(["gcc", "-shared", directory / "library.o", "-o", directory / "libplugin.so"])
    context.compile("gcc", ["-O1", "-g", "-fsanitize=thread", "-DLINELINT_RECORD", "-Isrc/record", "-c"], ["tests/record/plugin.c"],
                    directory / "program.o")
    context.compile("gcc", [], [directory / "program.o", directory / "libplugin.so", programs.library, f"-Wl,-rpath,{directory}"],
                    directory / "program")
    programs.run(directory)
    record = Record(directory / "linelint.record")
    record.expect("outside", "0 all w 0 8 1", "0 all w 8 8 1")
    record.expect("saturated", "classes 1")


def off(programs):
    context = programs.context
    output = programs.directory("off") / "off.o"
    for compiler, flags in (("gcc", []), ("clang", []), ("g++", ["-x", "c++"]), ("clang++", ["-x", "c++"])):
        context.compile(compiler, ["-O0", "-c", "-Wall", "-Wextra", "-Werror", "-Isrc/record", *flags], ["tests/record/off.c"], output)
        check("linelint" not in context.good(["nm", output]).out, f"{compiler}: something is left")


def wrong_runtime(programs):
    """Linked with -fsanitize=thread after all: said, not recorded."""
    directory = programs.directory("runtime")
    programs.build(directory, "ends.c", "gcc")
    result = programs.context.run(["gcc", directory / "program.o", programs.library, "-fsanitize=thread", "-o", directory / "program"])
    if "cannot find" in result.err:
        raise Skip("gcc has no libtsan here")
    result = programs.context.run([directory / "program"], cwd=directory, may_crash=True)
    check("linelint-record: nothing is recorded: the program is linked with -fsanitize=thread; " in result.err, str(result))
    check(not (directory / "linelint.record").exists(), "a file")


def installed(programs):
    """With what pkg-config says, in the two steps of the manual."""
    context = programs.context
    context.need("pkg-config")
    directory = programs.directory("installed")
    prefix = directory / "prefix"
    sanitize = [f"SANITIZE={context.environment['SANITIZE']}"] if context.sanitized else []
    context.good(["make", "--no-print-directory", f"B={context.build}", f"CC={context.cc}", *sanitize, f"PREFIX={prefix}", "install"])
    environment = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    flags = context.good(["pkg-config", "--cflags", "linelint-record"], environment=environment).out.split()
    libs = context.good(["pkg-config", "--libs", "linelint-record"], environment=environment).out.split()
    check(sorted(ALLOCATION + MEMORY + LOCKS) == sorted(word for word in libs if "wrap" in word), str(libs))
    for compiler in COMPILERS:
        context.compile(compiler, ["-O1", "-D_GNU_SOURCE", "-c", *flags], ["tests/record/reuse.c"], directory / "program.o")
        context.compile(compiler, [], [directory / "program.o", *libs], directory / "program")
        programs.run(directory, {"LINELINT_RECORD_HEAP": "node=72"})
        check(len(Record(directory / "linelint.record").of("class")) == 4, "not recorded")


def manual(programs):
    """The example of linelint-record(5) is a record."""
    text = (programs.context.root / "man/linelint-record.5").read_text()
    path = programs.directory("manual") / "example"
    path.write_text(re.search(r"^\.Bd -literal -offset indent\n(linelint-record 1\n.*?)\.Ed$", text, re.M | re.S)[1])
    record = Record(path)
    check({line[0] for line in record.lines} >= {"role", "class", "threads", "count", "operation", "outside"}, record.text)


def tests(context):
    programs = Programs(context)
    yield Test("record/hooks", lambda: hooks(context, programs))
    for compiler in COMPILERS:
        for run in (kinds, atomics, threads, signals, storm, fork, ends, files, reuse, said, places, replaced, variables, neighbours, classes, tables, order_of_trace,
                    late, many, churn):
            yield Test(f"record/{run.__name__}/{compiler}", lambda r=run, c=compiler: r(programs, c))
    for run in (map_of_objects, off, static, levels, plugin, wrong_runtime, installed, manual):
        yield Test(f"record/{run.__name__}", lambda r=run: r(programs))
