import warnings

warnings.simplefilter("error")
warnings.warn("as an error", stacklevel=1)
