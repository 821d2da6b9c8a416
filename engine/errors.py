"""Every error a person may see: one sentence that names the file, key or value, never a traceback."""


class HanafudaError(Exception):
    """Base of all errors that the command line prints as one sentence and answers with exit code 2."""


class ConfigError(HanafudaError):
    """A file, key, option or argument is unusable; the sentence names it and says what is allowed."""


class CalibrationError(HanafudaError):
    """A calibration cannot be used or made; the sentence says what to do next."""


class DeviceError(HanafudaError):
    """A camera, display or recording cannot be opened or has been lost."""


class RuleError(HanafudaError):
    """A move breaks a rule; the sentence is meant for the players, in both languages.

    `code` names the kind of fault (`match_left`, `out_of_turn`, ...), stable for logs and tests.
    """

    def __init__(self, code: str, en: str, ja: str) -> None:
        super().__init__(en)
        self.code = code
        self.en = en
        self.ja = ja
