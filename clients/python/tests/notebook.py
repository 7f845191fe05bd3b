"""Runs the cells of a notebook one after another, as Jupyter does, and prints how the last value of each is shown.

    python3 tests/notebook.py examples/story.ipynb
"""

import ast
import json
import sys

SHOWN_AS = [("image/png", "_repr_png_"), ("image/jpeg", "_repr_jpeg_"), ("text/html", "_repr_html_")]


def show(value):
    for kind, method in SHOWN_AS:
        shown = getattr(value, method, lambda: None)()
        if shown is not None:
            return f"{kind}, {len(shown)}"
    return repr(value)


def run(path):
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"]), f"cell {number}")
        last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
        exec(compile(body, f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
            if value is not None:
                print(f"cell {number}:", show(value))


if __name__ == "__main__":
    run(sys.argv[1])
