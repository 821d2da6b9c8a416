"""`python -m app` is the command `hanafuda`."""

import sys

from app.main import main

sys.exit(main())
