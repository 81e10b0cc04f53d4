"""Runs a program over the rows of Parquet files with Ray Data: one model per actor, one GPU per actor.

    pip install 'ray[data]==2.60.0' pteron
    python ray_batch.py model.pte rows/ scores/ --actors 2 --gpus 1

Input files have a column `id`, whose values are unique, and a column with the input of each row. Ray restarts an actor that
dies and gives its batches to others; a whole run that was stopped goes on where it was when it is started again, by the rows
that `--checkpoint` knows to be written.
"""

import argparse
import os
from pathlib import Path
from typing import Any

import numpy as np
import pteron
import ray
from ray.data.checkpoint import CheckpointConfig


def device_of_actor() -> str:
    """The device that Ray gave to this actor: its GPU by the PCI address, or the reference engine.

    Vulkan does not look at CUDA_VISIBLE_DEVICES, so the address is asked of the driver's own tool.
    """
    ids = ray.get_runtime_context().get_accelerator_ids().get("GPU", [])
    if not ids:
        return "cpu"
    import subprocess

    query = ["nvidia-smi", "--query-gpu=pci.bus_id", "--format=csv,noheader", f"--id={ids[0]}"]
    address = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip()
    # The tool writes the domain with eight digits, and Vulkan with four.
    return "pci:" + address.lower()[-12:]


class Predictor:
    """One loaded program, in an actor of its own."""

    def __init__(self, model: str, column: str) -> None:
        self.column = column
        self.forward = pteron.load(model, device=device_of_actor()).method("forward")

    def __call__(self, batch: dict[str, np.ndarray[Any, Any]]) -> dict[str, np.ndarray[Any, Any]]:
        """The outputs of a batch, beside the ids of its rows. Arrays that Ray shares are read-only, and are taken so."""
        rows = np.stack(list(batch[self.column]))
        [output] = self.forward(rows)
        return {"id": batch["id"], "output": np.array(output)}


def run(
    model: str | Path,
    source: str | Path,
    target: str | Path,
    *,
    column: str = "input",
    actors: int = 2,
    gpus: float = 0,
    batch_size: int = 8,
    rows_per_file: int = 1024,
    checkpoint: str | Path | None = None,
) -> None:
    """Reads Parquet files, runs the program over their rows, and writes Parquet files."""
    if checkpoint is not None:
        context = ray.data.DataContext.get_current()
        context.checkpoint_config = CheckpointConfig(id_column="id", checkpoint_path=str(checkpoint))
    # A block is what an actor is given, what is written into a file, and what is done again where an actor dies.
    rows = ray.data.read_parquet(str(source)).repartition(target_num_rows_per_block=rows_per_file)
    # Reading and writing need a core too: on a small machine actors that take a whole one each would leave none, and wait for ever.
    cores = ray.cluster_resources().get("CPU", 1) if ray.is_initialized() else os.cpu_count() or 1
    outputs = rows.map_batches(
        Predictor,
        fn_constructor_args=(str(Path(model).resolve()), column),
        batch_size=batch_size,
        num_cpus=min(1.0, cores / 2 / actors),
        num_gpus=gpus,
        compute=ray.data.ActorPoolStrategy(size=actors),
    )
    outputs.write_parquet(str(target))


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path, help="a folder of Parquet files")
    parser.add_argument("target", type=Path, help="a folder for the results")
    parser.add_argument("--column", default="input")
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--gpus", type=float, default=0, help="GPUs of each actor; 0 runs on the reference engine")
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--rows-per-file", type=int, default=1024, help="rows that are given to an actor and written at a time")
    parser.add_argument("--checkpoint", type=Path, help="a folder that knows which rows are written")
    run(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
