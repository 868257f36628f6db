"""Each command of the call has its own result."""

from __future__ import annotations

from rulez_py.platforms.results import Form

FORM = Form(each="success")
