"""fdtable/: the tests of the reference fd table (samples/fdtable), for each variant that was built for it."""

from . import unit
from .common import Test


def tests(context):
    for program in sorted((context.build / "samples/fdtable").glob("*/test_fdtable")):
        yield Test(f"fdtable/{program.parent.name}", lambda program=program: unit.run(context, program.resolve()))
