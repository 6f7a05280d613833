"""A chart of lines as SVG: a number against threads, these on a scale of powers of two."""

import html
import math

WIDTH, HEIGHT = 860, 470
LEFT, TOP, BOTTOM, LEGEND = 70, 56, 60, 270
# Okabe and Ito's colours, which the colour-blind can tell apart, and dashes for who prints in black.
COLOURS = ["#000000", "#d55e00", "#e69f00", "#0072b2", "#56b4e9", "#009e73", "#cc79a7", "#7f7f7f", "#8c510a"]
DASHES = ["", "7 3", "2 3", "", "7 3", "2 3", "", "7 3", "2 3"]


def step_of(top):
    """A round step, so that five to ten make the scale."""
    power = 10 ** math.floor(math.log10(top / 5))
    return next(power * factor for factor in (1, 2, 5, 10) if top / (power * factor) <= 8)


def first_alike(lines, label, top):
    """The place of the first line that cannot be told from this one on the chart."""
    def alike(one, other):
        return one.keys() == other.keys() and all(abs(one[x] - other[x]) < 0.005 * top for x in one)
    return next(place for place, other in enumerate(lines.values()) if alike(other, lines[label]))


def text(x, y, content, anchor="start", size=13, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{extra}>{html.escape(content)}</text>'


def chart(title, x_label, y_label, lines):
    """lines: {label: {threads: number}}"""
    threads = sorted({x for line in lines.values() for x in line})
    step = step_of(max(max(y for line in lines.values() for y in line.values()), 1e-3))
    top = step * math.ceil(max(y for line in lines.values() for y in line.values()) / step + 0.01)
    width, height = WIDTH - LEFT - LEGEND, HEIGHT - TOP - BOTTOM
    low, high = math.log2(threads[0]), max(math.log2(threads[-1]), math.log2(threads[0]) + 1)

    def place(x, y):
        return LEFT + width * (math.log2(x) - low) / (high - low), TOP + height * (1 - y / top)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', text(LEFT, 28, title, size=16)]
    for i in range(round(top / step) + 1):
        _, y = place(threads[0], i * step)
        out.append(f'<path d="M{LEFT} {y:.1f}h{width}" stroke="#ddd"/>')
        out.append(text(LEFT - 8, y + 4.5, f"{i * step:g}", "end"))
    for x in threads:
        at, y = place(x, 0)
        out.append(f'<path d="M{at:.1f} {y:.1f}v5" stroke="#222"/>')
        out.append(text(at, y + 20, str(x), "middle"))
    out.append(f'<path d="M{LEFT} {TOP}v{height}h{width}" fill="none" stroke="#222"/>')
    out.append(text(LEFT + width / 2, HEIGHT - 16, x_label, "middle"))
    middle = TOP + height / 2
    out.append(text(20, middle, y_label, "middle", extra=f' transform="rotate(-90 20 {middle:.1f})"'))
    # The legend in the order in which the lines end, so that the eye finds them.
    order = sorted(lines, key=lambda label: (-lines[label][max(lines[label])], first_alike(lines, label, top)))
    for row, label in enumerate(order):
        first = first_alike(lines, label, top)
        number = first % len(COLOURS)
        style = f'fill="none" stroke="{COLOURS[number]}" stroke-width="2.2"'
        if DASHES[number]:
            style += f' stroke-dasharray="{DASHES[number]}"'
        if list(lines)[first] == label:  # its likes are in the legend only, in the same style
            points = [place(x, y) for x, y in sorted(lines[label].items())]
            out.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" {style}/>')
            out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[number]}"/>' for x, y in points]
        y = TOP + 10 + 22 * row
        out.append(f'<path d="M{WIDTH - LEGEND + 20} {y}h30" {style}/>')
        out.append(text(WIDTH - LEGEND + 58, y + 4.5, label, size=12))
    return "\n".join(out) + "\n</svg>\n"
