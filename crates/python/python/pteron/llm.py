"""Language models: text in, text out, on the programs that ExecuTorch's `export_llama` makes."""

from pteron._pteron import Conversation, Generation, Model

__all__ = ["Conversation", "Generation", "Model"]
