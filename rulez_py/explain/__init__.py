"""Why a call is stopped, or is not: what `rulez explain` shows, for people and as JSON.

Nothing here judges. The verdict is that of a hook call (`hook/call.py`), each matcher is asked by itself with the code
by which rules match (`policy/judging/matching.py`), and the tree of commands is what the analysis has followed. No
script of a policy runs.
"""
