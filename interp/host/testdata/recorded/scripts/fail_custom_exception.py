class ConfigError(ValueError):
    def __init__(self, key, value):
        super().__init__(f"bad value for {key}: {value!r}")
        self.key = key


def load(config):
    try:
        return int(config["size"])
    except ValueError as e:
        raise ConfigError("size", config["size"]) from e


print(load({"size": "12"}))
try:
    load({"size": "x"})
except ConfigError as e:
    print(e, "|", e.key, "|", repr(e.__cause__))
load({"size": "twelve"})
