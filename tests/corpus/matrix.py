"""The file `matrix` -> builds, so that each pair of values of a block's axes is in one at least."""

import itertools
import pathlib
import random

AXES = ["source", "dwarf", "form", "optimize", "target", "packaging"]
TRIES = 60


class Block:
    def __init__(self, name):
        self.name, self.compiler, self.language = name, name, None
        self.axes, self.never = {}, []

    def allowed(self, build):
        """May these values go together? Axes that are missing are not asked about."""
        return not any(all(build.get(axis) in values for axis, values in rule.items()) for rule in self.never)

    def pairs(self):
        return {frozenset(((one, a), (other, b))) for one, other in itertools.combinations(self.axes, 2)
                for a in self.axes[one] for b in self.axes[other] if self.allowed({one: a, other: b})}

    def complete(self, build, missing, chance):
        """The build with the axes that it lacks, each with the value that most pairs want; None where nothing goes."""
        axes = [axis for axis in self.axes if axis not in build]
        chance.shuffle(axes)

        def fill(at):
            if at == len(axes):
                return True
            values = list(self.axes[axes[at]])
            chance.shuffle(values)
            values.sort(key=lambda value: -sum(frozenset(((axes[at], value), other)) in missing for other in build.items()))
            for value in values:
                build[axes[at]] = value
                if self.allowed(build) and fill(at + 1):
                    return True
                del build[axes[at]]
            return False

        return build if fill(0) else None

    def builds(self):
        chance, missing, found = random.Random(self.name), self.pairs(), []
        while missing:
            best, most = None, 0
            for seed in sorted(missing, key=lambda pair: sorted(pair))[:1] * TRIES:
                build = self.complete(dict(seed), missing, chance)
                if build is None:
                    break
                new = sum(frozenset(pair) in missing for pair in itertools.combinations(build.items(), 2))
                if new > most:
                    best, most = dict(build), new
            if best is None:  # a pair that a third value forbids
                missing.discard(seed)
                continue
            missing -= {frozenset(pair) for pair in itertools.combinations(best.items(), 2)}
            found.append({"block": self.name, "compiler": self.compiler, "language": self.language, **best})
        return found


def read(path=pathlib.Path(__file__).with_name("matrix")):
    blocks = []
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            blocks.append(Block(words[0].strip("[]")))
        elif words[0] == "never":
            blocks[-1].never.append({axis: set(values.split(",")) for axis, values in (word.split("=") for word in words[1:])})
        elif words[0] in ("language", "compiler"):
            setattr(blocks[-1], words[0], words[1])
        elif words[0] in AXES:
            blocks[-1].axes[words[0]] = words[1:]
        else:
            raise ValueError(f"{path}:{number}: not known: {words[0]}")
    return blocks


def name_of(build):
    return "/".join([build["block"], *(build[axis] for axis in AXES if axis in build)])


def builds():
    return [build for block in read() for build in block.builds()]


if __name__ == "__main__":
    for one in builds():
        print(name_of(one))
