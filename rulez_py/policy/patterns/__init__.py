"""How a policy says what it is about: globs, regexes, expressions. No input or output."""
