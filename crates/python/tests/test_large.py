"""Large inputs are not copied on the host more than once."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

LARGE = Path(__file__).with_name("large.pte")
BYTES = 100_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process had at most")
@pytest.mark.parametrize("kind", ["contiguous", "read-only", "strided", pytest.param("torch", marks=pytest.mark.torch)])
def test_a_large_input_is_copied_at_most_once(kind: str) -> None:
    """A call with 100 MB takes no memory for them besides; with strided ones, that of one copy."""
    if kind == "torch":
        pytest.importorskip("torch")
    script = textwrap.dedent(f"""
        import json, resource
        import numpy, pteron

        def most():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

        forward = pteron.load({str(LARGE)!r}, device="cpu").method()
        large = numpy.ones((1000, 25_000), numpy.float32)
        large[3] = numpy.arange(25_000)
        given = large[:, ::-1] if {kind!r} == "strided" else large
        given.flags.writeable = {kind!r} != "read-only"
        if {kind!r} == "torch":
            import torch
            given = torch.from_numpy(given)
        before = most()
        [row] = forward(given)
        grown = most() - before
        assert (row.numpy() == numpy.asarray(given[3])).all()
        print(json.dumps(grown))
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    copies = 1 if kind == "strided" else 0
    assert json.loads(done.stdout) < (copies + 0.1) * BYTES
