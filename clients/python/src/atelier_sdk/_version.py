"""The version of the SDK: that of pyproject.toml."""

version = "1.0.0"
