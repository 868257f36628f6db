"""Nothing is documented of a command that ends with an error: `success` may be that of the tool."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(untold=("Devin CLI",))
