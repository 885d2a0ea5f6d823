"""One thread for matrix products, unless the caller's environment says otherwise.

On a busy machine the threads of a product wait for each other, and a report took eight seconds instead of one. The
library reads its setting when numpy is first imported, so this module is imported before anything that imports numpy.
Results do not depend on it.
"""

import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
