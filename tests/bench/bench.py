"""pahole against linelint on one binary: wall time and anonymous memory.

Time: the commands take turns (A B A B ...), so that what else the machine does meets both; medians of the rounds. Warm
page cache: the file is read first, and each quick command runs once unmeasured. Standard output goes to /dev/null for
all. Memory: runs of their own, as looking costs time; the sum of RssAnon (anonymous pages: no mapped file, which costs
no memory that the page cache does not hold anyway) over the process and its children, looked at every half millisecond.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

SLOW = ("absent.pahole", "list.pahole", "list.pahole-j2")  # seconds each: not run unmeasured
LOOK_SECONDS = 0.0005  # between two looks at the memory


class Command:
    def __init__(self, name, argv, status):
        self.name = name        # of its file of samples
        self.argv = argv
        self.status = status    # the exit status that it must have
        self.seconds = []

    def median(self):
        return statistics.median(self.seconds)


def spawn(command):
    nowhere = [(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)]
    return os.posix_spawnp(command.argv[0], command.argv, os.environ, file_actions=nowhere)


def judge(command, wait_status):
    status = os.waitstatus_to_exitcode(wait_status)
    if status != command.status:
        sys.exit(f"bench: {' '.join(command.argv)}: exit {status}, not {command.status}")


def timed(command):
    start = time.perf_counter()
    child = spawn(command)
    _, wait_status = os.waitpid(child, 0)
    seconds = time.perf_counter() - start
    judge(command, wait_status)
    return seconds


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def anonymous_bytes(process):
    """RssAnon of a process and of all below it; 0 for one that has ended."""
    total = 0
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    total = int(line.split()[1]) * 1024
                    break
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return total + sum(anonymous_bytes(child) for child in children(process))


def memory(command):
    """(peak of the anonymous bytes, peak resident bytes of the largest process, with its mapped files)"""
    child = spawn(command)
    peak = 0
    while True:
        ended, wait_status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            judge(command, wait_status)
            # ru_maxrss of a child that was waited for includes those that it waited for.
            return peak, usage.ru_maxrss * 1024
        peak = max(peak, anonymous_bytes(child))
        time.sleep(LOOK_SECONDS)


def text(seconds):
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def mega(size):
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"


def load():
    return f"load average {os.getloadavg()[0]:.1f}"


def target(ratio, wanted):
    if wanted is None:
        return "none"
    return f"{wanted}: {'met' if ratio >= wanted else 'MISSED'}"


def first_line(*argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.strip().split("\n")[0]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return os.uname().machine


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--linelint", required=True)
    arguments.add_argument("--rounds", type=int, required=True)
    arguments.add_argument("--out", required=True)
    arguments.add_argument("binary")
    options = arguments.parse_args()
    if options.rounds < 3:
        sys.exit("bench: fewer than 3 rounds say nothing; set BENCH_ROUNDS to 3 or more")
    binary, program = options.binary, options.linelint

    def pahole(name, *extra):
        return Command(f"{name}.pahole", ["pahole", "-F", "dwarf", *extra, binary], 0)

    def linelint(name, *verb, status=0):
        return Command(f"{name}.linelint", [program, binary, *verb], status)

    every = pahole("list", "--sizes")
    every_threads = Command("list.pahole-j2", ["pahole", "-F", "dwarf", "-j2", "--sizes", binary], 0)
    ours = linelint("list", "list")
    # (what, pahole's command, ours, how many times faster is wanted); a command in two rows runs once a round.
    rows = [
        ("(a) a struct of the first unit (`list_head`)", pahole("first", "-C", "list_head"),
         linelint("first", "struct", "list_head"), None),
        ("(b) `files_struct`", pahole("files_struct", "-C", "files_struct"),
         linelint("files_struct", "struct", "files_struct"), 12),
        # pahole ends with 0 when the struct is not there.
        ("(c) a struct that does not exist", pahole("absent", "-C", "no_such_struct"),
         linelint("absent", "struct", "no_such_struct", status=2), 100),
        ("(d) `list` of everything", every, ours, 30),
        ("(d) the same against `pahole -j2`", every_threads, ours, 20),
    ]
    commands = []
    for _, theirs, mine, _ in rows:
        commands += [command for command in (theirs, mine) if command not in commands]

    busy = os.getloadavg()[0]
    if busy > 0.5:
        print(f"bench: other programs are running (load average {busy:.1f}): linelint's threads lose most by that",
              file=sys.stderr)
    with open(binary, "rb") as file:
        while file.read(1 << 24):
            pass
    for command in commands:
        if command.name not in SLOW:
            timed(command)
    for number in range(options.rounds):
        for command in commands:
            command.seconds.append(timed(command))
        print(f"bench: round {number + 1} of {options.rounds} done", file=sys.stderr)

    os.makedirs(options.out, exist_ok=True)
    for command in commands:
        with open(os.path.join(options.out, command.name), "w", encoding="ascii") as file:
            file.writelines(f"{seconds:.6f}\n" for seconds in command.seconds)

    print(f"`make bench`: {os.path.basename(binary)}, {os.cpu_count()} processors ({processor()}), warm page cache, "
          f"medians of {options.rounds} rounds in turn; {first_line(program, '--version')}; "
          f"pahole {first_line('pahole', '--version')}.\n")
    print("| what | pahole | linelint | times faster | target |")
    print("|---|--:|--:|--:|--:|")
    for what, theirs, mine, wanted in rows:
        ratio = theirs.median() / mine.median()
        print(f"| {what} | {text(theirs.median())} | {text(mine.median())} | {ratio:.1f} | {target(ratio, wanted)} |")
    limit = 150e6
    theirs, _ = memory(every)
    seen = [memory(ours) for _ in range(3)]
    mine = max(anonymous for anonymous, _ in seen)
    print(f"| anonymous memory at most, (d) | {mega(theirs)} | {mega(mine)} | {theirs / mine:.0f} times less | "
          f"under {mega(limit)}: {'met' if mine < limit else 'MISSED'} |")
    print(f"\nWith the pages of the mapped file, which the page cache holds anyway, linelint's largest process takes "
          f"{mega(max(resident for _, resident in seen))}.")

    print(f"\nministat, 95 % confidence (samples in {options.out}):")
    for what, theirs, mine, _ in rows:
        print(f"\n{what}", flush=True)
        files = [os.path.join(options.out, command.name) for command in (theirs, mine)]
        subprocess.run(["ministat", "-A", "-c", "95", *files], check=True)


if __name__ == "__main__":
    main()
