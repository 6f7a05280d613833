"""replay/: the verb that simulates caches. Of a recording every number is known; of roles they are near the closed form."""

import json
import re
import struct

from .common import Test, check

SOURCE = """\
struct pair { long counter; const void *operations; long rest[6]; int flags; };
struct small { long value; };
union either { int i; float f; };
struct large { long values[100]; };
struct pair pair; struct small small; union either either; struct large large;
int main(void) { return 0; }
"""
PROFILE = """\
version: 1
roles: {reader: {threads: 16}, writer: {threads: 2, rate: 0.5}}
structs:
  pair:
    placement: {alignment: 64}
    fields:
      counter: {writer: {rmw: 1}}
      operations: {reader: {read: 3}}
      flags: {reader: {read: 0.5}}
  large:
    fields: {values: {reader: {read: 1}, writer: {write: 1}}}
"""
# line 0: counter and operations; line 1: flags. The writer gains counter twice (once the reader had the line, once
# nobody), the reader fetches operations twice, and flags, which nobody writes, never.
RECORDING = """\
linelint-trace 1
struct pair 72
thread 0 reader
thread 1 writer
1 op x counter      # free: nobody has it
0 op r operations   # fetched
0 .  r flags
1 op x counter      # owned
1 op w 0:8          # free: it is its own
0 op r operations   # fetched
0 .  r 8:8
0 op r flags:4
"""
BEGINS = 0x80
KINDS = {"r": 0, "w": 1, "x": 2}


class Sandbox:
    def __init__(self, context):
        self.context = context
        self.directory = context.scratch / "replay"
        self.directory.mkdir(parents=True, exist_ok=True)
        for name, text in (("x.c", SOURCE), ("p.yaml", PROFILE), ("t.txt", RECORDING)):
            (self.directory / name).write_text(text)
        context.compile("gcc", ["-g", "-Wl,--build-id=0x0123abcd"], [self.directory / "x.c"], self.directory / "x")

    def run(self, *args, **options):
        return self.context.linelint(*args, cwd=self.directory, **options)

    def json(self, *args):
        return json.loads(self.run("--format", "json", *args, status=0).out)["replay"]

    def fails(self, part, *args):
        result = self.run(*args, status=2)
        check(part in result.err and result.err.count("\n") == 1 and not result.out, f"not '{part}'\n{result}")

    def recording(self, name, text):
        (self.directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name


def near(a, b, share):
    return abs(a - b) <= share * max(abs(a), abs(b))


def roles(box):
    """All that a document says of roles adds up, and is near the closed form, from 2 to 128 threads."""
    replay = box.json("--profile", "p.yaml", "x", "replay", "pair")
    check(replay["source"] == {"kind": "roles", "file": "p.yaml", "evidence": "stated", "workload": None, "incomplete": False,
                               "seed": 1, "operations": 100000}, str(replay["source"]))
    check(replay["struct"]["size"] == 72 and len(replay["lines"]) == 2, str(replay["struct"]))
    check([row["threads"] for row in replay["threads"]] == [2, 4, 8, 16, 32, 64, 128], str(replay["threads"]))
    check([(role["name"], role["threads"]) for role in replay["roles"]] == [("reader", 16), ("writer", 2)], str(replay["roles"]))
    check(sum(role["operations"] for role in replay["roles"]) == 100000, "operations")
    total = replay["total"]["before"]
    check(near(sum(line["before"]["simulated"] for line in replay["lines"]), total["simulated"], 1e-6), "lines sum to the total")
    for pair in [replay["total"], *replay["roles"], *replay["threads"]]:
        check(near(pair["before"]["simulated"], pair["before"]["closed_form"], 0.05), f"not near: {pair}")
    check(replay["lines"][1]["before"] == {"simulated": 0, "closed_form": 0}, "nobody writes line 1")
    costly = {field["field"] for field in replay["fields"] if field["before"]["fetches"] + field["before"]["owned"] > 0}
    check(costly == {"counter", "operations"}, str(replay["fields"]))
    for role in replay["roles"]:
        parts = sum(field["before"][kind] for field in replay["fields"] if field["role"] == role["name"]
                    for kind in ("fetches", "owned", "polls"))
        check(near(parts, role["before"]["simulated"], 1e-6), f"fields of {role['name']}")


def suggested(box):
    """The minimal suggestion is simulated as well; where there is none, the report says why."""
    replay = box.json("--profile", "p.yaml", "x", "replay", "pair")
    check([move["field"] for move in replay["suggestion"]["moves"]] == ["counter"] and replay["why_none"] is None, str(replay))
    check(replay["suggestion"]["size"] == 72, "as large as before")
    for pair in [replay["total"], *replay["threads"]]:
        check(pair["after"]["simulated"] < pair["before"]["simulated"], f"not better: {pair}")
        check(near(pair["after"]["simulated"], pair["after"]["closed_form"], 0.05), f"not near: {pair}")
    counter = next(field for field in replay["fields"] if field["field"] == "counter")
    check((counter["before"]["line"], counter["after"]["line"]) == (0, 1), str(counter))
    shown = box.run("--profile", "p.yaml", "x", "replay", "pair", status=0).out
    check(re.search(r"^after: move counter behind (rest|flags)$", shown, re.M), shown)
    # no accesses are known of a recording without a profile; with one, what was recorded moves too
    alone, both = box.json("x", "replay", "pair", "t.txt"), box.json("--profile", "p.yaml", "x", "replay", "pair", "t.txt")
    check(alone["suggestion"] is None and alone["why_none"] and alone["total"]["after"] is None, str(alone))
    check("no suggestion: " in box.run("x", "replay", "pair", "t.txt", status=0).out, "why there is none")
    check(both["total"]["before"] == alone["total"]["before"] and both["total"]["after"]["closed_form"] is None, str(both))
    check(both["total"]["after"]["simulated"] == 0, f"one thread has the counter's line alone: {both['total']}")


def deterministic(box):
    """The same bytes for a seed, other ones for another; --threads is for every role, and the only row."""
    arguments = ["--format", "json", "--profile", "p.yaml", "x", "replay", "pair"]
    first = box.run(*arguments, status=0).out
    check(first == box.run(*arguments, "--jobs", "7", "--seed", "1", status=0).out, "the same seed")
    check(first != box.run(*arguments, "--seed=2", status=0).out, "another seed")
    few = box.json("--profile", "p.yaml", "--threads", "4", "x", "replay", "pair")
    row = next(row for row in json.loads(first)["replay"]["threads"] if row["threads"] == 4)
    check(few["threads"] == [] and few["total"]["before"] == row["before"], "--threads 4 is the row of 4")
    wide = box.json("--profile", "p.yaml", "--line-size", "128", "x", "replay", "pair")
    check(wide["struct"]["line_size"] == 128 and wide["total"]["before"]["simulated"] > 0, "--line-size")


def tally(replay, role, field):
    found = [item["before"] for item in replay["fields"] if (item["role"], item["field"]) == (role, field)]
    return (found[0]["fetches"], found[0]["owned"]) if found else (0, 0)


def recorded(box):
    """A recording, counted by hand."""
    replay = box.json("x", "replay", "pair", "t.txt")
    check(replay["source"]["kind"] == "trace" and replay["source"]["operations"] == 6 and replay["source"]["seed"] is None,
          str(replay["source"]))
    check([(role["name"], role["threads"], role["operations"]) for role in replay["roles"]]
          == [("reader", 1, 3), ("writer", 1, 3)], str(replay["roles"]))
    check(near(replay["total"]["before"]["simulated"], 3 / 6, 1e-6) and replay["total"]["before"]["closed_form"] is None, "total")
    check(near(tally(replay, "reader", "operations")[0], 2 / 3, 1e-6), "the reader fetches twice in three operations")
    check(near(tally(replay, "writer", "counter")[1], 1 / 3, 1e-6), "the writer gains the line once")
    check(len(replay["fields"]) == 2, str(replay["fields"]))
    text = box.run("x", "replay", "pair", "t.txt", status=0).out
    check("the recording t.txt, 6 operations of 2 threads" in text and re.search(r"^all +0\.500$", text, re.M), text)


def neighbours(box):
    """Two objects on one line disturb each other, on two lines not; without addresses each has its own."""
    start = "linelint-trace 1\nstruct small\nobject 0 {}\nobject 1 {}\n"
    writes = "0 op w value 0\n1 op w value 1\n" * 10
    for first, second, total in (("0x1000", "0x1008", 19), ("0x1038", "0x1040", 0), ("0", "0", 0)):
        box.recording("two.txt", start.format(first, second) + writes)
        replay = box.json("x", "replay", "small", "two.txt")
        check(near(replay["total"]["before"]["simulated"], total / 20, 1e-6), f"{first} and {second}: {replay['total']}")
    # an access to bytes of two lines is one on each
    box.recording("across.txt", "linelint-trace 1\nstruct pair\n" + "0 op w 60:8\n1 op w 60:8\n" * 5)
    replay = box.json("x", "replay", "pair", "across.txt")
    check([round(line["before"]["simulated"] * 10) for line in replay["lines"]] == [9, 9], str(replay["lines"]))


def binary(text, build_id=b"\x01\x23\xab\xcd", name=b"pair", size=72, flags=0):
    """The binary form of a recording of whole fields of `pair` with two threads."""
    places = {"counter": (0, 8), "operations": (8, 8), "flags": (64, 4), "0": (0, 8), "8": (8, 8)}
    events = b""
    for line in text.splitlines()[4:]:
        thread, begins, kind, place = line.split("#")[0].split()
        offset, length = places[place.split(":")[0]]
        events += struct.pack("<HBBIII", int(thread), KINDS[kind] | (BEGINS if begins == "op" else 0), 0, 0, offset, length)
    tables = build_id + name
    for role in (b"reader", b"writer"):
        tables += struct.pack("<I", len(role)) + role
    tables += struct.pack("<IIQ", 0, 1, 0)
    header = 64 + len(tables) + -len(tables) % 8
    return struct.pack("<8sHHIQQIIIII12x", b"\x7fLLTRACE", 1, flags, header, len(events) // 16, size, 2, 2, 1,
                       len(build_id), len(name)) + tables.ljust(header - 64, b"\0") + events


def binary_form(box):
    """Says the same as the text that it is of."""
    box.recording("t.bin", binary(RECORDING))
    said = [box.json("x", "replay", "pair", name) for name in ("t.txt", "t.bin")]
    for replay in said:
        replay["source"].pop("file")
    check(said[0] == said[1], "the same in both forms")
    box.recording("t.bin", binary(RECORDING, flags=1))
    check(box.json("x", "replay", "pair", "t.bin")["source"]["incomplete"] is True, "incomplete")
    check("ran out of room" in box.run("x", "replay", "pair", "t.bin", status=0).out, "incomplete, as text")


def bad_recordings(box):
    """Truncated, of another binary or struct, malformed: an error with the next step."""
    good = binary(RECORDING)
    replay = ("x", "replay", "pair")
    box.fails("bad.bin: truncated: 7 of 8 accesses are there; copy it again", *replay, box.recording("bad.bin", good[:-1]))
    box.fails("bad.bin: ends within its header; copy it again", *replay, box.recording("bad.bin", good[:90]))
    box.fails("from another build (ff) than x (0123abcd); replay with that binary, or record again", *replay,
              box.recording("bad.bin", binary(RECORDING, build_id=b"\xff")))
    box.fails("a recording of 'pear', not of 'pair'; replay that", *replay, box.recording("bad.bin", binary(RECORDING, name=b"pear")))
    box.fails("of 80 bytes, in x it has 72; record again", *replay, box.recording("bad.bin", binary(RECORDING, size=80)))
    box.fails("bad.bin:1: not a trace; expected its first line", *replay, box.recording("bad.bin", "hello\n"))
    box.fails("x: not a trace; a trace is what the recorder writes, or text", *replay, "x")
    box.fails("bad.bin: empty", *replay, box.recording("bad.bin", ""))
    box.fails("bad.bin:5: 'pair' has no field 'cuonter'; ", *replay, box.recording("bad.bin", RECORDING.replace("1 op x counter", "1 op x cuonter", 1)))
    box.fails("nowhere: cannot be opened: No such file", *replay, "nowhere")


def elements(box):
    """Subscripts mean what the compiler makes of them, in the size too; what is no element is an error."""
    (box.directory / "e.c").write_text(r"""
struct slot { long n; char tag[3]; };
typedef short row[8];
struct elements { long first; struct slot slots[6]; int grid[3][5]; row rows[4];
	union { struct slot deep[2][4]; long plain; } u; struct { short pair[2]; } nameless[3]; int : 3, bits : 9; struct slot open[]; };
struct elements elements;
#define PLACES(X) X(slots[5].n) X(slots[0].n) X(slots[4].tag[2]) X(grid[2][3]) X(grid[1]) X(rows[3][7]) X(rows[2]) \
	X(u.deep[1][2].tag[1]) X(u.deep[1][2].n) X(nameless[2].pair[1]) X(open[7].n)
#define X(path) #path, __builtin_offsetof(struct elements, path), sizeof(((struct elements *)0)->path),
struct { const char *path; unsigned long off, size; } places[] = { PLACES(X) };
int printf(const char *, ...);
int main(void)
{
	for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++)
		printf("%s %lu %lu\n", places[i].path, places[i].off, places[i].size);
}
""")
    box.context.compile("gcc", ["-g", "-w"], [box.directory / "e.c"], box.directory / "e")
    size = {"grid[1]": 4, "rows[2]": 2}  # an array's first element
    for line in box.context.run([box.directory / "e"]).out.splitlines():
        path, off, bytes_ = line.split()
        first, end = int(off), int(off) + size.get(path, int(bytes_))
        # the line begins with its first byte, or ends with its last; or one byte further
        for at, other, costs in ((first, first - 1, False), (first + 1, first - 1, True), (end, end, False), (end - 1, end, True)):
            text = f"linelint-trace 1\nstruct elements\nobject 0 {4096 - at}\n" + f"0 op w {path}\n1 op r {other}\n" * 2
            total = box.json("e", "replay", "elements", box.recording("e.txt", text))["total"]["before"]["simulated"]
            check((total > 0) == costs, f"{path} is not at {off}, {end - first} bytes: {total} with byte {other}\n{text}")
    for path, part in (("slots[6].n", "'slots[6].n' has no element [6]; there are 6, from [0]"), ("grid[2][5]", "no element [5]"),
                       ("first[0]", "'first[0]' has no array that [0] could be an element of"), ("grid[1][1][1]", "no array"),
                       ("slots[x].n", "no such element; a subscript is a number"), ("slots[1", "no such element"),
                       ("slots[1]n", "'elements' has no field"), ("slots[-1].n", "no such element"), ("bits[0]", "no array"),
                       ("slots[99999999999999999999].n", "no such element"), ("nothing[1]", "'elements' has no field"),
                       ("open[18446744073709551615].n", "no place that is known"), ("open[99999999].n", "lies behind what can be")):
        box.fails(part, "e", "replay", "elements", box.recording("e.txt", f"linelint-trace 1\nstruct elements\n0 op w {path}\n"))


def small(box):
    """Of a union the alternative of the access's size is named; what rounds to nothing is not nothing."""
    (box.directory / "u.c").write_text("struct un { union { long l; struct { int tag, v; } tv; } u; long rest[9]; } un;\n")
    box.context.compile("gcc", ["-g", "-c"], [box.directory / "u.c"], box.directory / "u")
    start = "linelint-trace 1\nstruct un\n"
    for place, name in (("u.tv.v", "u.tv.v"), ("4:4", "u.tv.v"), ("u.tv.tag", "u.tv.tag"), ("0:8", "u.l"), ("u.l", "u.l"), ("3:2", "u.l")):
        replay = box.json("u", "replay", "un", box.recording("u.txt", start + f"0 op w {place}\n1 op w {place}\n" * 3))
        check({field["field"] for field in replay["fields"]} == {name}, f"{place}: {replay['fields']}")
    box.recording("u.txt", start + "thread 0 some\nthread 1 some\n0 op w u.l\n1 op w u.l\n" + "0 op w rest\n" * 9000)
    out = box.run("u", "replay", "un", "u.txt", status=0).out
    check(re.search(r"^all +<0\.001$", out, re.M) and re.search(r"^  line 0 +<0\.001$", out, re.M), out)


def templates(box):
    """Names of templates have blanks, in the text form too; the size stands behind them or not."""
    (box.directory / "y.cc").write_text("template <class T, int n> struct box { T first; T rest[n]; };\nbox<int, 3> b;\n"
                                        "int main() { return b.first; }\n")
    box.context.compile("g++", ["-g"], [box.directory / "y.cc"], box.directory / "y")
    for size in ("", " 16"):
        box.recording("y.txt", f"linelint-trace 1\nstruct box<int, 3>{size}\n0 op w first\n1 op r rest\n0 op w first\n")
        replay = box.json("y", "replay", "box<int, 3>", "y.txt")
        check(near(replay["total"]["before"]["simulated"], 2 / 3, 1e-6), str(replay["total"]))
    box.recording("y.txt", "linelint-trace 1\nstruct box<int, 4>\n0 op w first\n")
    box.fails("y.txt:2: a recording of 'box<int, 4>', not of 'box<int, 3>'", "y", "replay", "box<int, 3>", "y.txt")


def bad_usage(box):
    box.fails("0 arguments after replay; write 'linelint x replay NAME [TRACE]'", "x", "replay")
    box.fails("3 arguments after replay", "x", "replay", "pair", "t.txt", "t.txt")
    box.fails("--threads does not apply to a recording", "x", "replay", "pair", "t.txt", "--threads", "4")
    box.fails("nobody accesses it, as far as is known; name a profile with --profile, or a recorded trace", "x", "replay", "pair")
    box.fails("'*' means 4 structs, such as either and large; name one", "x", "replay", "*")
    box.fails("no struct, union or class 'pear'; did you mean 'pair'?", "x", "replay", "pear")
    box.fails("--seed 'x': not a number", "x", "replay", "pair", "--seed", "x")
    box.fails("--seed does not apply to struct", "x", "struct", "pair", "--seed", "1")
    box.fails("more than can be simulated; give fewer with --threads", "--profile", "p.yaml", "--threads", "1048576", "x", "replay",
              "large", "--line-size", "8")


def text(box):
    """The report for people, whole."""
    out = box.run("--profile", "p.yaml", "x", "replay", "pair", status=0).out
    for line in (r"struct pair: 72 bytes in 2 lines of 64; roles of p\.yaml \(stated\), 100000 operations, seed 1",
                 r"transactions per operation +before +closed form +after +closed form", r"all( +\d\.\d{3}){4}",
                 r"  reader, 16 threads( +\d\.\d{3}){2} +0 +0",
                 r"  line 1 +0 +0( +\d\.\d{3}){2}", r"  operations +0 +\d\.\d{3} +0 +0 +0 +0",
                 r"  counter +0 +0 +\d\.\d{3} +1 +0 +\d\.\d{3}", r"  128( +\d\.\d{3}){4}",
                 r"Coherence transactions of a simulation, not a measurement\."):
        check(re.search(f"^{line}$", out, re.M), f"no line as {line!r}\n{out}")
    check(not re.search(r" $", out, re.M), "blanks at the end of a line")
    check(max(map(len, out.splitlines())) <= 100, "no line over 100 columns")


def tests(context):
    box = Sandbox(context)
    for function in (roles, suggested, deterministic, recorded, neighbours, binary_form, bad_recordings, elements, small, templates, bad_usage, text):
        yield Test(f"replay/{function.__name__.replace('_', '-')}", lambda f=function: f(box))
