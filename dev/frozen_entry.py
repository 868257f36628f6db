"""Where the frozen program starts."""

from rulez_py.__main__ import main

main()
