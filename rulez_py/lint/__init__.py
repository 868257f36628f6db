"""`rulez lint`: find what is valid in a policy file and still wrong, or could be better.

`checks.py` is the list: each check with its code, what it finds, and two examples, one that it finds and one that it
does not. `lint.py` holds a file against them, `formats.py` says how the findings are printed. The page of the codes is
docs/lint.md.
"""
