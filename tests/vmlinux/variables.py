"""Global variables of a kernel: every one where nm has it, and no line without its neighbours."""

import subprocess

import linelint


def symbols_of(file):
    """[(address, size, name)] of data symbols that have a size."""
    text = subprocess.run(["nm", "-S", "--defined-only", file], capture_output=True, text=True, check=True).stdout
    found = []
    for line in text.splitlines():
        parts = line.split()
        if len(parts) == 4 and parts[2] in "dDbBrRvV":
            found.append((int(parts[0], 16), int(parts[1], 16), parts[3]))
    return found


def shown(kernel, *arguments):
    document = linelint.document(kernel.program, *arguments)
    assert document["vars"]["findings"] == [], "a finding without a profile"
    lines = {}
    for section in document["vars"]["sections"]:
        for line in section["lines"]:
            for variable in line["variables"]:
                lines.setdefault(int(line["address"], 16), []).append(variable)
    return lines


def names_of(variable):
    plain = variable["name"].rsplit("::", 1)[-1].rsplit(":", 1)[-1]
    return {plain, *variable["aliases"]}


def like_nm(kernel):
    symbols = kernel.once("symbols", lambda: symbols_of(kernel.file))
    addresses = {name: address for address, _, name in symbols}
    lines = shown(kernel, kernel.file, "vars", "jiffies*")
    variables = [variable for line in lines.values() for variable in line]
    jiffies = next(variable for variable in variables if variable["name"] == "jiffies_64")
    assert "jiffies" in jiffies["aliases"], f"jiffies is an alias of jiffies_64: {jiffies}"
    for variable in variables:
        for name in names_of(variable) & set(addresses):
            same = [address for address, _, other in symbols if other == name]
            assert int(variable["address"], 16) in same, f"{name}: {variable['address']}, nm: {same}"
    wanted = {name for name in addresses if name.startswith("jiffies")}
    missing = wanted - {name for variable in variables for name in names_of(variable)}
    assert not missing, f"not shown: {missing}"
    return f"{len(lines)} lines, {len(variables)} variables"


def every_line(kernel):
    """What nm says of a line's bytes, we say of it; of every written line of the kernel."""
    symbols = kernel.once("symbols", lambda: symbols_of(kernel.file))
    lines = shown(kernel, "--all", kernel.file, "vars")
    known = {(int(v["address"], 16), v["size"]) for line in lines.values() for v in line}
    count = 0
    for address, size, name in symbols:
        first = address & ~63
        if not size or first not in lines:
            continue
        count += 1
        at = [variable for variable in lines[first] if int(variable["address"], 16) == address]
        assert len(at) == 1, f"{name} at {address:#x}: {at}"
        assert at[0]["size"] >= size, f"{name}: {at[0]['size']} bytes, nm: {size}"
    assert count > 20000, f"only {count} symbols compared"
    return f"{count} symbols on {len(lines)} lines, {len(known)} variables"


def per_cpu(kernel):
    lines = shown(kernel, kernel.file, "vars", "runqueues")
    document = linelint.document(kernel.program, kernel.file, "vars", "runqueues")
    section = next(s for s in document["vars"]["sections"] if s["lines"])
    assert section["per_cpu"] and section["name"] == ".data..percpu", section["name"]
    return f"runqueues on {len(lines)} lines"


def tests_of(suite, kernel):
    suite.test(f"{kernel.series}: vars jiffies* is what nm says", like_nm, kernel)
    suite.test(f"{kernel.series}: every line of all variables is what nm says", every_line, kernel)
    suite.test(f"{kernel.series}: per-CPU variables are told apart", per_cpu, kernel)
