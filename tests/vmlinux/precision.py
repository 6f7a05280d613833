"""
What `linelint VMLINUX check` may and must say with the shipped profile.

The cases G1 to G10 are layouts that people fixed, with what they gained by it: a written field on the line of fields
that others read. Everything that is not listed here as allowed is a false alarm, and fails.
"""

import collections

# On `series`, struct `struct` has a warning by one of `rules` whose written field is `written` (or lies in it), and
# which names at least the `readers` (or what lies in them). With `found` False: no warning puts these two together.
Case = collections.namedtuple("Case", "name series struct rules written readers found")
SHARING = ("LL001", "LL002")

CASES = [
    Case("G1", "6.1", "file", SHARING, "f_count", ("f_op", "f_inode", "f_path"), True),
    Case("G1", "6.12", "file", SHARING, "f_count", ("f_path",), False),
    Case("G3", "6.12", "file", SHARING, "f_count", ("f_mode", "f_op", "f_mapping", "f_inode", "f_flags"), True),
    Case("G4", "6.1", "dentry", SHARING, "d_lockref", ("d_iname",), True),
    Case("G4", "6.12", "dentry", SHARING, "d_lockref", ("d_iname",), False),
    Case("G5", "6.1", "address_space", SHARING, "i_mmap_rwsem", ("i_mmap",), True),
    Case("G5", "6.12", "address_space", SHARING, "i_mmap_rwsem", ("i_mmap",), False),
    Case("G10", "6.1", "mm_struct", SHARING, "mm_count", ("pgd", "membarrier_state"), True),
    Case("G10", "6.12", "mm_struct", SHARING, "mm_count", ("pgd", "membarrier_state"), False),
]

# All warnings that there may be: (struct, rule, written field). The written field of LL007 does not matter.
ALLOWED_ALWAYS = {
    # Embedded, or from caches without alignment, which is said once.
    ("inode", "LL007", None),
    ("address_space", "LL007", None),
    ("vm_area_struct", "LL007", None),
    # 8 bytes from host.
    ("address_space", "LL001", "i_pages.xa_lock"),
}
ALLOWED = {
    "6.12": ALLOWED_ALWAYS | {
        ("file", "LL001", "f_count"),
        # Beside owner it costs by the model; nobody has measured it.
        ("mm_struct", "LL001", "tlb_flush_pending"),
    },
    "6.1": ALLOWED_ALWAYS | {
        ("file", "LL001", "f_count"),
        ("dentry", "LL001", "d_lockref"),
        ("address_space", "LL001", "i_mmap_rwsem.count"),
        ("address_space", "LL001", "i_mmap_rwsem.owner"),
        ("mm_struct", "LL001", "mm_count"),
    },
}
# One line, and it may not grow: nothing can be done about it.
SILENT = ("page", "folio", "fdtable")
# Written under that lock: one line is right.
WANTED_TOGETHER = [("dentry", "d_lockref", "d_children"), ("dentry", "d_lockref", "d_subdirs")]
# Upstream split the lock's halves once, and undid it.
WANTED_APART = [("mm_struct", "mmap_lock.count", "mmap_lock.owner")]


def lies_in(path, field):
    return path == field or path.startswith((field + ".", field + "["))


def warnings(document, name=None):
    return [(entry["name"], finding) for entry in document["structs"] if name in (None, entry["name"])
            for finding in entry["findings"] if finding["severity"] != "info"]


def show(found):
    return "\n".join(f"{name}: {finding['severity']} {finding['rule']} line {finding['line']}: "
                     f"{', '.join(finding['fields'])}" for name, finding in found) or "nothing"


def case(kernel, wanted):
    of_struct = warnings(kernel.check(), wanted.struct)
    written = [finding for _, finding in of_struct
               if finding["rule"] in wanted.rules and lies_in(finding["fields"][0], wanted.written)]

    def names(finding, reader):
        return any(lies_in(path, reader) for path in finding["fields"][1:])

    if wanted.found:
        hit = [finding for finding in written if all(names(finding, reader) for reader in wanted.readers)]
        assert hit, f"{wanted.written} against {', '.join(wanted.readers)} is not among:\n{show(of_struct)}"
        return f"parting saves {hit[0]['parting']:.2f} of {hit[0]['cost']:.2f}"
    hit = [finding for finding in written if any(names(finding, reader) for reader in wanted.readers)]
    assert not hit, show([(wanted.struct, finding) for finding in hit])
    return None


def no_other_warnings(kernel):
    allowed = ALLOWED[kernel.series]
    found = warnings(kernel.check())
    false = [(name, finding) for name, finding in found
             if (name, finding["rule"], None if finding["rule"] == "LL007" else finding["fields"][0]) not in allowed]
    assert not false, f"{len(false)} false alarms:\n{show(false)}"
    return f"{len(found)} warnings"


def told_once(kernel):
    """At most one finding a struct, rule and written field, and LL007 once a struct."""
    seen = collections.Counter((name, finding["rule"], None if finding["rule"] == "LL007" else finding["fields"][0])
                               for name, finding in warnings(kernel.check()))
    twice = [key for key, count in seen.items() if count > 1]
    assert not twice, f"more than once: {twice}"


def evidence_caps(kernel):
    """Of a shipped profile nothing is an error, and of the kernel's own group markers nothing more than an info."""
    document = kernel.check()
    errors = [pair for pair in warnings(document) if pair[1]["severity"] == "error"]
    assert not errors, show(errors)
    groups = [pair for pair in warnings(document) if pair[1]["evidence"] == "group"]
    assert not groups, show(groups)
    assert document["summary"]["errors"] == 0, "summary.errors is not 0"
    assert document["summary"]["warnings"] == len(warnings(document)), "summary.warnings is not the number of warnings"
    return f"{document['summary']['infos']} infos"


def profile_fits(kernel):
    """Every struct and field that the shipped profile names is there, or is marked as optional."""
    stale = [(entry["name"], finding) for entry in kernel.check()["structs"] for finding in entry["findings"]
             if finding["rule"] == "LL010"]
    assert not stale, show(stale)
    return f"{len(kernel.check()['structs'])} structs"


def silent(kernel):
    found = [pair for name in SILENT for pair in warnings(kernel.check(), name)]
    assert not found, show(found)
    for struct, one, other in WANTED_TOGETHER + WANTED_APART:
        both = [(name, finding) for name, finding in warnings(kernel.check(), struct)
                if lies_in(finding["fields"][0], one) and any(lies_in(path, other) for path in finding["fields"][1:])]
        assert not both, show(both)
    locks = [pair for pair in warnings(kernel.check()) if pair[1]["rule"] == "LL003"]
    assert not locks, show(locks)


def tests_of(suite, kernel):
    tag = kernel.series
    suite.test(f"{tag}: check exits 0 with the shipped profile", lambda: kernel.check() and None)
    for wanted in CASES:
        if wanted.series == tag:
            suite.test(f"{tag}: {wanted.name} is {'found' if wanted.found else 'gone'} (struct {wanted.struct})",
                       case, kernel, wanted)
    suite.test(f"{tag}: no other warnings than those that are known", no_other_warnings, kernel)
    suite.test(f"{tag}: each is told once", told_once, kernel)
    suite.test(f"{tag}: what must stay silent is silent", silent, kernel)
    suite.test(f"{tag}: severities are capped by evidence", evidence_caps, kernel)
    suite.test(f"{tag}: the shipped profile fits", profile_fits, kernel)
