"""import/: what a recorder counted, as a profile; profiles as one. Every figure of a hand-written recording is known."""

import json
import random
import re
import shutil

from .common import Test, check
from .profile import fits
from .record import ALLOCATION, LOCKS

SOURCE = """\
#include <stdatomic.h>
#include <pthread.h>
struct table {
	unsigned long mask; void *entries; atomic_ulong inserted; unsigned int capacity; /* 4 bytes of padding */
	union { long whole; struct { int low, high; }; };
	unsigned int one : 3, two : 5; short slots[10]; struct { long key; long value; } rows[2]; pthread_mutex_t lock;
};
struct node { long key; struct node *next; };
struct tail { long count; int values[]; };
typedef struct { long a, b; } unnamed;
struct table *const table_tag __attribute__((used)) = 0;
struct node *const node_tag __attribute__((used)) = 0;
struct node (*const nodes_tag)[4] __attribute__((used)) = 0;
struct tail *const tail_tag __attribute__((used)) = 0;
unnamed *const unnamed_tag __attribute__((used)) = 0;
long *const long_tag __attribute__((used)) = 0;
struct node global_nodes[8]; struct table global_table; long hits; int arrays[16]; static int twice;
int *other(void); int main(void) { return twice + *other() + (int)hits + arrays[1] + (int)global_nodes[1].key + (int)global_table.mask; }
"""
SECOND = "static int twice; int *other(void) { return &twice; }\n"
BUILD_ID = "0123abcd"


class Sandbox:
    def __init__(self, context, name):
        self.context = context
        self.directory = context.scratch / "import" / name
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        (self.directory / "x.c").write_text(SOURCE)
        (self.directory / "y.c").write_text(SECOND)
        context.compile("gcc", ["-g", f"-Wl,--build-id=0x{BUILD_ID}"],
                        [self.directory / "x.c", self.directory / "y.c"], self.directory / "x")
        context.compile("gcc", ["-g", "-Wl,--build-id=none"],
                        [self.directory / "x.c", self.directory / "y.c"], self.directory / "anonymous")
        self.address = {}
        for line in context.good(["nm", self.directory / "x"]).out.splitlines():
            words = line.split()
            if len(words) == 3:
                self.address.setdefault(words[2], int(words[0], 16))

    def run(self, *args, **options):
        return self.context.linelint(*args, cwd=self.directory, **options)

    def record(self, lines, name="r.record", end=None, head=("linelint-record 1", f"build-id {BUILD_ID}", "program x")):
        """The lines with head and end, as a file."""
        text = [*head, *lines]
        text.append(f"end {len(text) if end is None else end}")
        path = self.directory / name
        path.write_text("\n".join(text) + "\n")
        return path.name

    def tag(self, number, name, size, objects=3, shared=1, threads=4):
        return (f"class {number} tag 0x{self.address[name]:x} size {size} objects {objects} shared {shared} "
                f"threads-max {threads}")

    def imported(self, *lines, binary="x", **options):
        """(text, document) of a recording that is good."""
        import yaml
        path = self.record(lines, **options)
        out = self.run("profile", "import", "record", path, binary, status=0).out
        fits(self.context, out, path)
        (self.directory / "p.yaml").write_text(out)
        self.run("profile", "show", "p.yaml", binary, status=0)
        self.run("--profile", "p.yaml", binary, "check", status=(0, 1))
        return out, yaml.safe_load(out)

    def refused(self, *lines, expected, binary="x", **options):
        result = self.run("profile", "import", "record", self.record(lines, **options), binary, status=2)
        check(not result.out and len(result.err.splitlines()) == 1, f"one line, and nothing else\n{result}")
        check(re.search(expected, result.err), f"expected {expected!r}\n{result}")
        check(";" in result.err, f"no next step\n{result}")
        return result


# In one operation of lookup: mask, entries, now and then inserted. 1000 operations of 4 threads; insert: 50 of 1 thread.
ROLES = ("role 0 lookup threads 4 operations 1000", "role 1 insert threads 1 operations 50")
TABLE_BYTES = 136
COUNTS = (
    "threads 0 0 4", "threads 0 1 1",
    "count 0 0 r 0 8 1000", "count 0 0 r 8 8 2000", "count 0 0 r 16 8 1",
    "count 0 1 x 16 8 100", "count 0 1 w 24 4 25",
    "operation 0 0 999 r:0:8 r:8:8 r:8:8", "other 0 0 1",
    "operation 0 1 25 x:16:8 w:24:4 x:16:8", "operation 0 1 20 x:16:8 x:16:8",
)


def figures(sandbox):
    """Counts per operation, threads, rates, sequences, evidence: as the recording has them."""
    text, document = sandbox.imported(*ROLES, sandbox.tag(0, "table_tag", TABLE_BYTES), *COUNTS)
    check(document["evidence"] == "measured", text)
    # per thread: 250 operations and 50
    check(document["roles"] == {"lookup": {"threads": 4}, "insert": {"threads": 1, "rate": 0.2}}, text)
    table = document["structs"]["table"]
    check(list(document["structs"]) == ["table"] and "vars" not in document, text)
    check(table["source"] == f"recorded: x, build-id {BUILD_ID}, 1050 operations", text)
    check(table["fields"] == {
        "mask": {"lookup": {"read": 1}}, "entries": {"lookup": {"read": 2}},
        "inserted": {"lookup": {"read": 0.001}, "insert": {"rmw": 2}}, "capacity": {"insert": {"write": 0.5}}}, text)
    check(table["sequence"] == {"lookup": ["mask", "entries", "entries"], "insert": ["inserted", "capacity", "inserted"]}, text)
    check("instance" not in table and "threads" not in table, text)
    check("# sequence of lookup: of 99.9 % of its operations" in text, text)
    check("# 3 objects, 1 of them touched by more than one thread" in text, text)
    check("nothing was recorded of the lock 'lock': link with" in text, text)
    report = sandbox.context.json("--profile", "p.yaml", "x", "struct", "table", cwd=sandbox.directory)
    members = {member["name"]: member["access"] for member in report["structs"][0]["members"]}
    check(members["inserted"]["rmw"] > 0 and members["inserted"]["evidence"] == "measured", json.dumps(members, indent=1))


def fields(sandbox):
    """Unions by size, arrays, bit-fields, padding, copies of several members, structs in arrays."""
    text, document = sandbox.imported(
        "role 0 all threads 2 operations 100", sandbox.tag(0, "table_tag", TABLE_BYTES),
        "threads 0 0 2",
        "count 0 0 r 32 8 100",   # whole
        "count 0 0 w 36 4 50",    # high
        "count 0 0 r 32 4 10",    # low
        "count 0 0 r 46 2 30",    # slots[2]
        "count 0 0 w 42 20 100",  # slots as a whole: one access
        "count 0 0 r 72 8 20",    # rows[0].value
        "count 0 0 r 80 8 5",     # rows[1].key
        "count 0 0 r 40 1 60",    # one and two
        "count 0 0 r 28 4 7",     # padding
        "count 0 0 r 0 16 40",    # mask and entries
        "count 0 0 r 26 4 20",    # half of capacity, half of the padding
        "count 0 0 x 16 8 1000")
    got = {field: access["all"] for field, access in document["structs"]["table"]["fields"].items()}
    check(got == {"whole": {"read": 1}, "high": {"write": 0.5}, "low": {"read": 0.1},
                  "slots[]": {"read": 0.3, "write": 1}, "rows[].value": {"read": 0.2}, "rows[].key": {"read": 0.05},
                  "one": {"read": 0.6}, "mask": {"read": 0.4}, "entries": {"read": 0.4}, "capacity": {"read": 0.2},
                  "inserted": {"rmw": 10}}, text)
    check("bit-fields that share bytes" in text, text)
    check("# left out: 7 accesses (read) by all to a hole or padding of 4 bytes at 28" in text, text)
    check("# left out: 20 accesses (read) by all to a hole or padding of 2 bytes at 28" in text, text)


def classes(sandbox):
    """Heap objects by name, arrays of structs, flexible arrays, typedefs; two classes of one struct are one."""
    text, document = sandbox.imported(
        "role 0 all threads 4 operations 10",
        "class 0 name node size 16 objects 2 shared 0 threads-max 1",
        sandbox.tag(1, "nodes_tag", 64, shared=1, threads=2),
        sandbox.tag(2, "tail_tag", 8, shared=0, threads=1),
        sandbox.tag(5, "unnamed_tag", 16),
        "threads 0 0 1", "threads 1 0 2", "threads 2 0 1", "threads 5 0 3",
        "count 0 0 r 0 8 10", "count 1 0 r 48 8 20", "count 1 0 w 56 8 10", "count 2 0 r 24 4 10", "count 5 0 r 8 8 10")
    structs = document["structs"]
    check(structs["node"]["fields"] == {"key": {"all": {"read": 3}}, "next": {"all": {"write": 1}}}, text)
    check(structs["node"]["threads"] == {"all": 2} and document["roles"]["all"]["threads"] == 3, text)
    check("# 5 objects, 1 of them touched" in text, text)
    check(structs["tail"]["fields"] == {"values[]": {"all": {"read": 1}}}, text)
    check(structs["tail"]["instance"] == "per-thread" and structs["tail"]["threads"] == {"all": 1}, text)
    check(structs["unnamed"]["fields"] == {"b": {"all": {"read": 1}}} and "threads" not in structs["unnamed"], text)


def variables(sandbox):
    """Globals: those of struct type are entries, the others are `vars`; what no variable has is said."""
    at = sandbox.address
    text, document = sandbox.imported(
        "role 0 all threads 4 operations 10",
        f"global g 0x{at['global_nodes']:x} bytes 128 shared 0", f"global g 0x{at['global_table'] + 8:x} bytes 8 shared 1",
        f"count g 0 r 0x{at['global_nodes'] + 40:x} 8 10", f"count g 0 w 0x{at['global_table'] + 8:x} 8 10",
        f"count g 0 x 0x{at['hits']:x} 8 10", f"count g 0 r 0x{at['arrays'] + 12:x} 4 5",
        f"count g 0 r 0x{at['twice']:x} 4 10", "count g 0 r 0x10 4 77", "outside g 0 w 0x10 4 13", "outside g 0 w 0x20 4 2")
    check(document["structs"]["node"]["fields"] == {"next": {"all": {"read": 1}}}, text)
    check(document["structs"]["node"]["instance"] == "per-thread", text)
    check(document["structs"]["table"]["fields"] == {"entries": {"all": {"write": 1}}}, text)
    check("instance" not in document["structs"]["table"], text)
    check(document["vars"]["fields"] == {"hits": {"all": {"rmw": 1}}, "arrays[]": {"all": {"read": 0.5}},
                                         "twice": {"all": {"read": 1}}}, text)
    check("# left out: 77 accesses to addresses at which the debug information has no variable" in text, text)
    check("# left out: 15 accesses outside of operations" in text, text)


def sequences(sandbox):
    """Averages win over the sequence: mentions are as many as accesses; no sequence below half of the operations."""
    role = "role 0 all threads 2 operations 100"
    tag = sandbox.tag(0, "table_tag", TABLE_BYTES)
    counts = ("count 0 0 r 0 8 150", "count 0 0 r 8 8 60", "count 0 0 w 24 4 100")
    _, document = sandbox.imported(role, tag, *counts, "operation 0 0 50 r:0:8 w:24:4 r:8:8 r:8:8")
    # 1.5 reads of mask are two steps, 0.6 of entries one
    check(document["structs"]["table"]["sequence"] == {"all": ["mask", "mask", "capacity", "entries"]}, str(document))
    _, document = sandbox.imported(role, tag, *counts, "operation 0 0 49 r:0:8 w:24:4")
    check("sequence" not in document["structs"]["table"], str(document))


def roles(sandbox):
    """Names that no profile can have, roles that do nothing, counts that are too small."""
    text, document = sandbox.imported(
        "role 0 read threads 2 operations 100", "role 1 two%20words threads 2 operations 50",
        "role 2 two_words threads 2 operations 10000", "role 3 idle threads 1 operations 9", "role 4 %ff threads 1 operations 0",
        sandbox.tag(0, "table_tag", TABLE_BYTES), "threads 0 0 2", "threads 0 1 2",
        "count 0 0 r 0 8 100", "count 0 1 r 0 8 50", "count 0 2 r 0 8 10000", "count 0 2 w 0 8 4", "count 0 4 r 0 8 4")
    check(list(document["roles"]) == ["read_", "two_words", "two_words-2"], text)
    check(document["roles"]["two_words-2"] == {"threads": 2}, text)  # no `threads` line: all that it has
    check(document["roles"]["read_"] == {"threads": 2, "rate": 0.01}, text)
    check("# left out: role idle, 9 operations that access nothing tracked" in text, text)
    check("# left out: 1 count of less than 0.0005 accesses an operation" in text, text)
    check("nothing" not in document["structs"], text)


def saturated(sandbox):
    """What the recorder lost is said, in the profile and to the user."""
    path = sandbox.record([*ROLES, sandbox.tag(0, "table_tag", TABLE_BYTES), *COUNTS, "saturated counters 17"])
    result = sandbox.run("profile", "import", "record", path, "x", status=0)
    check("# not counted by the recorder: 17 (counters)" in result.out, result)
    check("could not count everything: 17 (counters)" in result.err, result)
    check(not sandbox.run("--quiet", "profile", "import", "record", path, "x", status=0).err, result)


def refused(sandbox):
    """Each error, with the line and what to do."""
    tag = sandbox.tag(0, "table_tag", TABLE_BYTES)
    whole = (*ROLES, tag, *COUNTS)
    no = sandbox.refused
    count = len(whole) + 3
    no(*whole, end=count + 1, expected=rf"r\.record:{count + 1}: 'end {count + 1}' behind {count} lines")
    no(*ROLES[:1], tag, expected=r"no operation accesses a tracked object.*LINELINT_TRACK")
    no("role 0 lookup threads 4 operations 0", tag, "count 0 0 r 0 8 5",
       expected=r"no operations, so that nothing can be counted per operation; call LINELINT_OP\(\)")
    no(*whole, head=("linelint-record 1", "build-id 4567", "program x"),
       expected=r"recorded from another build \(4567\) than x \(0123abcd\)")
    no(*whole, head=("linelint-record 1", "program x"), expected=r"without build-id, but x has 0123abcd")
    no(*whole, binary="anonymous", expected=r"anonymous has no build-id; link with")
    no(*whole, head=("linelint-record 2", "program x"), expected=r":1: a recording of another version")
    no(*whole, head=("linelint-trace 1", "program x"), expected=r":1: not a recording")
    no(*whole, head=("linelint-record 1", f"build-id {BUILD_ID}"), expected=r"no 'program' line")
    no(*ROLES, "class 0 tag 0x10 size 8 objects 1 shared 0 threads-max 1",
       expected=r"r\.record:6: class 0: no variable lies at 0x10 .*-g")
    no(*ROLES, sandbox.tag(0, "long_tag", 8), expected=r":6: class 0: what lies at 0x\w+, 'long_tag', is no struct")
    no(*ROLES, sandbox.tag(0, "table_tag", 72), expected=rf":6: class 0: objects of 72 bytes, but 'table' has {TABLE_BYTES} in x")
    no(*ROLES, "class 0 name nowhere size 8 objects 1 shared 0 threads-max 1", expected=r"no struct, union or class 'nowhere'")
    no(*ROLES, "class 0 name node size 24 objects 1 shared 0 threads-max 1", expected=r"'node' has 16 in x; state the size")
    no(*ROLES, "class 0 name t* size 24 objects 1 shared 0 threads-max 1", expected=r"'t\*' means \d+ structs")
    no(*ROLES, tag, f"count 0 0 r {TABLE_BYTES - 4} 8 1", expected=rf"up to byte {TABLE_BYTES + 4} of a 'table'")
    no(*ROLES, tag, "count 0 0 r 0 8 20000000", expected=r"2e\+04 accesses to 'mask' in an operation of 'lookup'.*LINELINT_OP")
    no(*ROLES, tag, "count 0 0 r 0 8 1", "operation 0 0 1001 r:0:8", expected=r":8: an operation seen 1001 times, of 1000")
    for line, expected in (
            ("count 0 0 r 0 8", r":7: 6 words; expected 'count C R KIND"),
            ("count 1 0 r 0 8 1", "'1' is no class"), ("count 0 2 r 0 8 1", "'2' is no role"),
            ("count 0 0 q 0 8 1", "'q' is no kind"), ("count 0 0 r 0 0 1", "'0' is no size"),
            ("count 0 0 r -1 8 1", "'-1' is no offset"), ("count 0 0 r 0 8 1x", "'1x' is no count"),
            ("count 0 0 r 0 8 18446744073709551616", "is no count"), ("count 0 0 r 4294967296 8 1", "is no offset"),
            ("count g 0 r 0xffffffffffffffff 8 1", "is no size"), ("operation 0 0 1 r:0", "'r:0' is no access"),
            ("operation 0 0 1", "4 words"), ("operation 0 0 1" + " r:0:8" * 257, "261 words"),
            ("role 3 a threads 1 operations 1", "role 3 behind 2 others"),
            ("role 2 a threads x operations 1", "'x' is no number of threads"),
            ("role 2 a thread 1 operations 1", "'thread' instead of 'threads'"),
            ("role 2 %0 threads 1 operations 1", "has a %"), ("role 2 %00 threads 1 operations 1", "has a %"),
            ("class 0 name node size 16 objects 1 shared 0 threads-max 1", "class 0 behind class 0"),
            ("class 1 name node size 16 objects 1 shared 2 threads-max 1", "2 of 1 objects are shared"),
            ("class 1 type node size 16 objects 1 shared 0 threads-max 1", "'type' instead of 'tag'"),
            ("global g 0xffffffffffffffff bytes 2 shared 0", "do not fit"), ("global 0 0x10 bytes 2 shared 0", "expected 'g'"),
            ("global g 0x10 bytes 2 shared 2", "'2' is no truth value"), ("build-id xyz", "'xyz' is no build-id"),
            ("trace 7 f", "'7' is no class"), ("hello", "'hello' is no word"), ("count  0", "a blank too many"),
            ("", "an empty line"), ("count 0 ", "a blank too many"), ("end 6\ncount 0 0 r 0 8 1", "behind 'end'")):
        no(*ROLES, tag, line, expected=expected)
    text = (sandbox.directory / sandbox.record(whole)).read_text()
    for name, content, expected in (
            ("cut", text[:text.index("end ")], r"cut: truncated behind line \d+: no 'end'"),
            ("half", text[:len(text) // 2], r"half: truncated behind line \d+"), ("none", "", "none: empty"),
            ("zero", "linelint-record 1\nprogram \0x\n", r"zero:2: a NUL byte")):
        (sandbox.directory / name).write_text(content)
        result = sandbox.run("profile", "import", "record", name, "x", status=2)
        check(re.search(expected, result.err) and not result.out, f"expected {expected!r}\n{result}")
    for arguments, expected in (
            (("record", "absent", "x"), "absent: cannot be opened"), (("record", "r.record", "absent"), "absent: cannot open"),
            (("record", "r.record", "x.c"), "x.c"), (("record", "r.record"), "no BINARY"), (("recrod", "r.record", "x"),
            "unknown format 'recrod'; did you mean 'record'"), (("record",), "too few arguments")):
        result = sandbox.run("profile", "import", *arguments, status=2)
        check(expected in result.err and not result.out, f"expected {expected!r}\n{result}")


def hostile(sandbox):
    """Truncated anywhere, with bits flipped anywhere: an error of one line, or a profile that can be read."""
    generator = random.Random(sandbox.context.seed)
    lines = [*ROLES, sandbox.tag(0, "table_tag", TABLE_BYTES), "class 1 name node size 16 objects 1 shared 0 threads-max 1",
             *COUNTS, f"global g 0x{sandbox.address['hits']:x} bytes 8 shared 1",
             f"count g 0 x 0x{sandbox.address['hits']:x} 8 10", "count 1 0 r 8 8 7", "saturated counters 1"]
    good = (sandbox.directory / sandbox.record(lines)).read_bytes()
    cases = [good[:generator.randrange(len(good))] for _ in range(30)]
    for _ in range(120):
        bad = bytearray(good)
        for _ in range(generator.choice((1, 1, 2, 5))):
            bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
        cases.append(bytes(bad))
    accepted = 0
    path = sandbox.directory / "hostile.record"
    for case in cases:
        path.write_bytes(case)
        result = sandbox.run("profile", "import", "record", path.name, "x", status=(0, 2), timeout=20)
        if result.status:
            check(not result.out and len(result.err.splitlines()) == 1, result)
        else:
            accepted += 1
            (sandbox.directory / "hostile.yaml").write_text(result.out)
            sandbox.run("profile", "show", "hostile.yaml", "x", status=0)
    check(0 < accepted < len(cases), f"{accepted} of {len(cases)} accepted")


def traces(sandbox):
    """Replay takes a trace whose struct is the address of a tag or of a variable."""
    def trace(name, build=BUILD_ID):
        (sandbox.directory / "t.trace").write_text(
            f"linelint-trace 1\nstruct {name} 136\nbuild-id {build}\nthread 0 lookup\n0 op r mask\n0 . r entries\n")
        return "x", "replay", "table", "t.trace"

    for name in ("table_tag", "global_table"):
        result = sandbox.run(*trace(f"@0x{sandbox.address[name]:x}"), status=0)
        check("lookup" in result.out, result)
    for name, expected in ((f"@0x{sandbox.address['node_tag']:x}", "a recording of 'node', not of 'table'"),
                           ("@0x10", "no variable lies at 0x10"), ("@16", "'@16' is no struct"), ("@0x", "'@0x' is no struct"),
                           ("@0x" + "f" * 17, "is no struct"), (f"@0x{sandbox.address['hits']:x}", "is no struct with a name")):
        result = sandbox.run(*trace(name), status=2)
        check(expected in result.err and "t.trace:2" in result.err and not result.out, result)


PROGRAM = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "linelint-record.h"
struct table { unsigned long mask; unsigned long *entries; atomic_ulong inserted; int kind; unsigned char shorts[6];
	pthread_mutex_t lock; };
struct node { long key; struct node *next; };
struct message { long from; long to; char text[40]; };
static struct table table; static long total; struct node nodes[4]; static pthread_barrier_t start;
static void *lookup(void *arg)
{
	unsigned long sum = 0;
	LINELINT_ROLE("lookup");
	pthread_barrier_wait(&start);
	for (int i = 0; i < 1000; i++) {
		LINELINT_OP();
		sum += table.entries[i & table.mask];
		if (i % 10 == 0) sum += (unsigned)table.kind;
		LINELINT_OP_END();
	}
	return (void *)(sum + (unsigned long)arg);
}
static void *insert(void *arg)
{
	LINELINT_ROLE("insert");
	pthread_barrier_wait(&start);
	for (int i = 0; i < 500; i++) {
		struct message *message = malloc(sizeof(*message));
		LINELINT_OP();
		atomic_fetch_add(&table.inserted, 1);
		pthread_mutex_lock(&table.lock);
		total++;
		nodes[i & 3].key++;
		table.shorts[2]++;
		pthread_mutex_unlock(&table.lock);
		((volatile struct message *)message)->to = i; /* or it is optimised away */
		LINELINT_OP_END();
		free(message);
	}
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	table.mask = 7;
	pthread_mutex_init(&table.lock, NULL);
	table.entries = calloc(8, 8);
	LINELINT_TRACK(&table);
	pthread_barrier_init(&start, NULL, 3);
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, i < 2 ? lookup : insert, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return total != 500;
}
"""


def recorded(sandbox, compiler):
    """The recorder's own file and trace: counts as the program's loops make them; LL001 is found; the trace replays."""
    import yaml
    directory, context = sandbox.directory, sandbox.context
    (directory / "program.c").write_text(PROGRAM)
    context.compile(compiler, ["-std=gnu11", "-O1", "-g", "-fsanitize=thread", "-DLINELINT_RECORD", "-Isrc/record", "-c"],
                    [directory / "program.c"], directory / "program.o")
    context.compile(compiler, [*ALLOCATION, *LOCKS, "-Wl,--build-id"],
                    [directory / "program.o", context.build / "liblinelint-record.a", "-pthread"], directory / "program")
    context.good([(directory / "program").resolve()], cwd=directory, environment={
        "LINELINT_RECORD": "program.record", "LINELINT_RECORD_TRACE": "trace", "LINELINT_RECORD_HEAP": "message=56"})
    out = sandbox.run("profile", "import", "record", "program.record", "program", status=0).out
    fits(context, out, "program.record")
    (directory / "program.yaml").write_text(out)
    document = yaml.safe_load(out)
    both = {"write": 1} if compiler == "clang" else {"read": 1, "write": 1}  # clang 14 drops the read of x++
    check(document["roles"] == {"lookup": {"threads": 2}, "insert": {"threads": 1, "rate": 0.5}}, out)
    check(document["structs"]["table"]["fields"] == {
        "mask": {"lookup": {"read": 1}}, "entries": {"lookup": {"read": 1}}, "inserted": {"insert": {"rmw": 1}},
        "kind": {"lookup": {"read": 0.1}}, "shorts[]": {"insert": both, "bytes": 3},
        "lock": {"insert": {"rmw": 2}, "bytes": 4}}, out)
    check(sorted(document["structs"]["table"]["sequence"]["lookup"]) == ["entries", "mask"], out)
    check(document["structs"]["node"] == {"source": document["structs"]["table"]["source"], "instance": "per-thread",
                                          "fields": {"key": {"insert": both}}}, out)
    check(document["structs"]["message"]["fields"] == {"to": {"insert": {"write": 1}}}, out)
    check(document["structs"]["message"]["instance"] == "per-thread" and "# 500 objects, 0 of them" in out, out)
    check(document["vars"]["fields"] == {"total": {"insert": both}}, out)
    report = context.json("--profile", "program.yaml", "program", "check", cwd=directory)
    table = next(struct for struct in report["structs"] if struct["name"] == "table")
    check(any(finding["rule"] == "LL001" and finding["evidence"] == "measured" for finding in table["findings"]), out)
    for number, name in (("0", "table"), ("1", "message")):
        path = f"trace.{number}.trace"
        check((directory / path).exists(), f"{path}: {sorted(item.name for item in directory.iterdir())}")
        replayed = sandbox.run("program", "replay", name, path, status=0)
        check(f"the recording {path}" in replayed.out, replayed)
    sandbox.run("program", "replay", "message", "trace.0.trace", status=2)


def damaged(sandbox):
    """Bits of a recorder's own file flipped, and its end cut off."""
    recorded(sandbox, "gcc")
    generator = random.Random(sandbox.context.seed)
    good = (sandbox.directory / "program.record").read_bytes()
    for number in range(60):
        bad = bytearray(good)
        if number % 3 == 0:
            del bad[generator.randrange(len(bad)):]
        else:
            bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
        (sandbox.directory / "bad.record").write_bytes(bad)
        result = sandbox.run("profile", "import", "record", "bad.record", "program", status=(2,) if number % 3 == 0 else (0, 2))
        check(not result.status or (not result.out and len(result.err.splitlines()) == 1), result)


SCOPED = """\
#include <atomic>
namespace ns {
struct base { long id; };
template <typename T> struct slot : base { std::atomic<T> state; T value; struct { char a, b; } pair; virtual ~slot() {} };
}
static ns::slot<int> *const tag __attribute__((used)) = nullptr;
namespace { struct hidden { int x; } here; }
int main() { ns::slot<int> s; here.x = 1; return (int)s.id + s.value; }
"""


def scoped(sandbox, compiler):
    """C++: names have their scope, members of bases their own names, whatever the compiler and the form of DWARF."""
    (sandbox.directory / "s.cc").write_text(SCOPED)
    for options in (["-gdwarf-5"], ["-gdwarf-4"], ["-g", "-fdebug-types-section"], ["-g", "-no-pie"]):
        sandbox.context.compile(compiler, [*options, "-std=c++17", "-Wl,--build-id=0x0123abcd"], [sandbox.directory / "s.cc"],
                                sandbox.directory / "s")
        symbols = sandbox.context.good(["nm", "-C", sandbox.directory / "s"]).out.splitlines()
        at = {line.split(" ", 2)[2]: line.split()[0] for line in symbols if line[:1].isalnum()}
        tag, here = next(at[name] for name in at if name == "tag"), at["(anonymous namespace)::here"]
        _, document = sandbox.imported(
            "role 0 all threads 2 operations 10", f"class 0 tag 0x{tag} size 32 objects 1 shared 1 threads-max 2",
            f"global g 0x{here} bytes 8 shared 1", "threads 0 0 2", "count 0 0 r 8 8 10", "count 0 0 x 16 4 20",
            "count 0 0 r 20 4 30", "count 0 0 w 25 1 10", "count 0 0 r 0 8 10", f"count g 0 w 0x{here} 4 10", binary="s")
        fields = document["structs"]["ns::slot<int>"]["fields"]
        vptr = next(name for name in fields if name.startswith("_vptr"))
        check(fields == {vptr: {"all": {"read": 1}}, "id": {"all": {"read": 1}}, "state": {"all": {"rmw": 2}},
                         "value": {"all": {"read": 3}}, "pair.b": {"all": {"write": 1}}}, f"{options}: {fields}")
        check(document["structs"]["(anonymous namespace)::hidden"]["fields"] == {"x": {"all": {"write": 1}}}, str(document))


EVERYTHING = """\
version: 1
line_size: 128
interleave: 0.05
line_price: 0.5
roles: {lookup: {threads: 24, why: "any"}, install: {threads: 4, rate: 0.1, interleave: 0.01}}
workloads: {server: [lookup, install], start: [install]}
structs:
  file:
    source: "by hand: \\"so\\""
    placement: {alignment: 64, stride: 192, container: outer.inner, why: "slab"}
    allocator: kmalloc
    slab_classes: [32, 256]
    threads: {lookup: 64}
    sequence: {lookup: [f_count, f_mode, f_count]}
    fields:
      f_count: {rmw: 2, why: "fget, fput"}
      f_mode: {lookup: {read: 0.30000000000000004, if: f_op, why: "x: y"}}
      "fd_array[]": {read: 2, index: 3}
      "no": {access: 1, bytes: 24, optional: true}
      f_pos: {unless: f_op, write: 1e-7}
      f_none: {}
    locks: {f_lock: {protects: [f_pos, f_mode], contended: 0.3, why: "w"}}
    constraints: {first: [f_lock], last: [f_pos], keep_together: [[f_mode, f_op], [a, b]], pin: [c], max_size: 256, padding: allowed}
    expect: [{same_line: [f_mode, f_op]}, {apart: [f_count, f_mode], why: "because"}, {line: {f_lock: 0, f_op: 1}},
             {max_size: 256}, {max_lines: 3}]
    ignore: [{rule: LL004, fields: [f_ep], reason: "cold"}, {rule: LL006, reason: "all"}]
  "ns::Type<int, 3>": {evidence: measured, instance: array, allocator: slab, constraints: {pin: all}}
  empty: {instance: per-thread, allocator: none}
vars:
  fields: {jiffies: {install: {read: 1}}, "rows[].x": rw hot}
"""


def merged_once(sandbox):
    """One profile, merged with nothing, says the same: written again it is the same text, and the same values."""
    import yaml
    path = sandbox.directory / "everything.yaml"
    path.write_text(EVERYTHING)
    once = sandbox.run("profile", "merge", path.name, status=0).out
    fits(sandbox.context, once, "merged")
    (sandbox.directory / "once.yaml").write_text(once)
    check(sandbox.run("profile", "merge", "once.yaml", status=0).out == once, once)
    wanted, got = yaml.safe_load(EVERYTHING), yaml.safe_load(once)
    check(got["roles"] == wanted["roles"] and got["workloads"] == wanted["workloads"], once)
    check({key: got[key] for key in ("line_size", "interleave", "line_price")} ==
          {"line_size": 128, "interleave": 0.05, "line_price": 0.5}, once)
    for key in ("source", "placement", "allocator", "slab_classes", "threads", "sequence", "locks", "constraints", "ignore"):
        check(got["structs"]["file"][key] == wanted["structs"]["file"][key], f"{key}\n{once}")
    check(got["structs"]["file"]["fields"] == dict(wanted["structs"]["file"]["fields"], f_pos={"unless": "f_op", "write": 1e-7}), once)
    check(got["structs"]["file"]["expect"] == [
        {"same_line": ["f_mode", "f_op"]}, {"apart": ["f_count", "f_mode"], "why": "because"}, {"line": {"f_lock": 0}},
        {"line": {"f_op": 1}}, {"max_size": 256}, {"max_lines": 3}], once)
    check(got["structs"]["ns::Type<int, 3>"] == {"evidence": "measured", "instance": "array", "allocator": "slab",
                                                 "constraints": {"pin": "all"}, "fields": {}}, once)
    check(got["vars"]["fields"]["rows[].x"] == {"read": 1, "write": 1}, once)
    shipped = sandbox.run("profile", "merge", "linux", status=0).out
    check(yaml.safe_load(shipped)["evidence"] == "shipped", shipped[:500])
    fits(sandbox.context, shipped, "linux")
    (sandbox.directory / "linux.yaml").write_text(shipped)
    check(sandbox.run("profile", "merge", "linux.yaml", status=0).out == shipped, "linux")


def merged(sandbox):
    """Later entries replace; roles go on meaning what they meant, by threads, by rate, and by who they are."""
    import yaml
    for name, text in (
            ("a.yaml", "version: 1\nroles: {get: {threads: 4}, put: {threads: 2, rate: 0.5}}\nstructs:\n"
                       "  table: {fields: {mask: {read: 1}, inserted: {put: {rmw: 1}}}}\n"
                       "  node: {fields: {key: r hot}, threads: {put: 9}}\n"),
            ("b.yaml", "version: 1\nevidence: measured\nroles: {get: {threads: 8}, put: {threads: 2, rate: 0.25}}\nstructs:\n"
                       "  node: {fields: {key: {get: {read: 3}}, next: w 2}, sequence: {put: [next, next]}}\n"),
            ("c.yaml", "version: 1\nstructs: {tail: {fields: {count: rmw 1}}}\n")):
        (sandbox.directory / name).write_text(text)
    out = sandbox.run("profile", "merge", "a.yaml", "b.yaml", "c.yaml", status=0).out
    fits(sandbox.context, out, "merged")
    got = yaml.safe_load(out)
    check(got["roles"] == {"get": {"threads": 4}, "put": {"threads": 2, "rate": 0.5}, "get-2": {"threads": 8},
                            "put-2": {"threads": 2, "rate": 0.25}, "all": {"threads": 16}}, out)
    check(got["workloads"] == {"all": ["get", "put"], "all-2": ["get-2", "put-2"], "all-3": ["all"]}, out)
    check(list(got["structs"]) == ["table", "node", "tail"], out)
    check(got["structs"]["table"] == {"fields": {"mask": {"get": {"read": 1}, "put": {"read": 1}},
                                                 "inserted": {"put": {"rmw": 1}}}}, out)
    check(got["structs"]["node"] == {"evidence": "measured",
                                     "fields": {"key": {"get-2": {"read": 3}}, "next": {"get-2": {"write": 2}, "put-2": {"write": 2}}},
                                     "sequence": {"put-2": ["next", "next"]}}, out)
    check(got["structs"]["tail"] == {"fields": {"count": {"all": {"rmw": 1}}}}, out)
    # what a struct costs is what it costs with the profiles apart
    (sandbox.directory / "m.yaml").write_text(out)
    for name, apart in (("table", "a.yaml"), ("node", "b.yaml"), ("tail", "c.yaml")):
        costs = [sandbox.context.json("--profile", profile, "x", "struct", name, cwd=sandbox.directory)["structs"][0]["cost"]
                 for profile in (apart, "m.yaml")]
        check(costs[0]["total"] == costs[1]["total"] and costs[0]["lines"] == costs[1]["lines"], f"{name}: {costs}")
    # the same roles are the same, but for threads
    (sandbox.directory / "d.yaml").write_text((sandbox.directory / "a.yaml").read_text().replace("threads: 4", "threads: 6")
                                              .replace("  table: {", "  tail: {").replace("mask", "count").replace("inserted", "values"))
    out = sandbox.run("profile", "merge", "a.yaml", "d.yaml", status=0).out
    got = yaml.safe_load(out)
    check(got["roles"] == {"get": {"threads": 4}, "put": {"threads": 2, "rate": 0.5}} and "workloads" not in got, out)
    check(got["structs"]["tail"]["threads"] == {"get": 6} and "threads" not in got["structs"]["table"], out)
    check(got["structs"]["tail"]["fields"] == {"count": {"read": 1}, "values": {"put": {"rmw": 1}}}, out)
    check(got["structs"]["node"]["threads"] == {"get": 6, "put": 9}, out)


def unmerged(sandbox):
    for name, text in (("l.yaml", "version: 1\nline_size: 64\nstructs: {a: {}}\n"),
                       ("m.yaml", "version: 1\nline_size: 128\nstructs: {a: {}}\n"),
                       ("n.yaml", "version: 1\nline_price: 1\nstructs: {a: {}}\n"),
                       ("o.yaml", "version: 1\nroles: {r: {}}\nstructs: {b: {fields: {x: {read: 1, r: {write: 1, if: y}}}}}\n")):
        (sandbox.directory / name).write_text(text)
    for files, expected in ((("l.yaml", "m.yaml"), "m.yaml: line_size 128, but 64 in l.yaml"),
                            (("l.yaml", "n.yaml"), "n.yaml: line_price 1, but 0.25 in l.yaml"),
                            (("o.yaml", "l.yaml"), "o.yaml:3:24: 'x' has counts of every role and conditional ones of 'r'"),
                            (("absent.yaml",), "absent.yaml: cannot open"), ((), "too few arguments")):
        result = sandbox.run("profile", "merge", *files, status=2)
        check(expected in result.err and not result.out, f"expected {expected!r}\n{result}")


def tests(context):
    for test in (figures, fields, classes, variables, sequences, roles, saturated, refused, hostile, traces, merged_once, merged,
                 unmerged, damaged):
        yield Test(f"import/{test.__name__}", lambda test=test: test(Sandbox(context, test.__name__)))
    for compiler in ("g++", "clang++"):
        yield Test(f"import/scoped/{compiler}",
                   lambda compiler=compiler: scoped(Sandbox(context, f"scoped-{compiler}"), compiler))
    for compiler in ("gcc", "clang"):
        yield Test(f"import/recorded/{compiler}",
                   lambda compiler=compiler: recorded(Sandbox(context, f"recorded-{compiler}"), compiler))
