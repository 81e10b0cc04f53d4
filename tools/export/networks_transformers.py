"""Networks of the package `transformers`, of small sizes and with random weights: text, images, speech, series."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
import transformers as hf
from torch import nn

from lib import Case, Source, f32, ints
from network_lib import Named, mask, network, words

WIDTH: dict[str, Any] = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64, "vocab_size": 97,
}
DECODER = WIDTH | {"max_position_embeddings": 64, "use_cache": False, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
TEXT: list[Source] = [words(16, 97), mask(16, 13)]
PICTURE = {"image_size": 32, "patch_size": 8, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
           "intermediate_size": 64}
VOICE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
         "conv_dim": (16, 16), "conv_stride": (5, 2), "conv_kernel": (10, 3), "num_feat_extract_layers": 2,
         "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}
LENGTH = torch.export.Dim("length", min=2, max=32)


def encoder(name: str, config: str, model: str, **options: Any) -> Case:
    """One that reads words under a mask."""
    make = lambda: Named(getattr(hf, model)(getattr(hf, config)(**(WIDTH | options))),
                         ["input_ids", "attention_mask"], ["last_hidden_state"])
    return network(f"hf_{name}", make, *TEXT)


def decoder(name: str, config: str, model: str, *, dynamic: bool = False, **options: Any) -> Case:
    """One that gives the logits of the next word of each, for one number of words or for several."""
    make = lambda: Named(getattr(hf, model)(getattr(hf, config)(**(DECODER | options))), ["input_ids"], ["logits"],
                         use_cache=False)
    if not dynamic:
        return network(f"hf_{name}", make, words(16, 97))
    steps = [[words(count, 97)] for count in (16, 5, 11)]
    return network(f"hf_{name}_dynamic", make, steps=steps, dynamic=[({1: LENGTH},)])


def picture(name: str, config: str, model: str, output: str, size: int = 32, **options: Any) -> Case:
    """One that looks at an image."""
    make = lambda: Named(getattr(hf, model)(getattr(hf, config)(**options)), ["pixel_values"], [output])
    return network(f"hf_{name}", make, f32(1, 3, size, size))


def voice(name: str, config: str, model: str, **options: Any) -> Case:
    """One that hears samples."""
    make = lambda: Named(getattr(hf, model)(getattr(hf, config)(**(VOICE | options))), ["input_values"],
                         ["last_hidden_state"])
    return network(f"hf_{name}", make, f32(1, 1600))


def both(name: str, make: Callable[[], nn.Module]) -> Case:
    """One with an encoder and a decoder."""
    named = lambda: Named(make(), ["input_ids", "decoder_input_ids"], ["logits"], use_cache=False)
    return network(f"hf_{name}", named, words(12, 97), words(7, 97))


def bart() -> nn.Module:
    return hf.BartForConditionalGeneration(hf.BartConfig(
        vocab_size=97, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=64,
    ))


def t5() -> nn.Module:
    return hf.T5ForConditionalGeneration(hf.T5Config(
        vocab_size=97, d_model=32, d_kv=8, d_ff=64, num_layers=1, num_decoder_layers=1, num_heads=4,
        decoder_start_token_id=0,
    ))


def whisper() -> nn.Module:
    model = hf.WhisperForConditionalGeneration(hf.WhisperConfig(
        vocab_size=97, num_mel_bins=16, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_source_positions=32,
        max_target_positions=32, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
    ))
    return Named(model, ["input_features", "decoder_input_ids"], ["logits"], use_cache=False)


def clip() -> nn.Module:
    text = WIDTH | {"max_position_embeddings": 32, "projection_dim": 16, "eos_token_id": 2, "bos_token_id": 1}
    config = hf.CLIPConfig(text_config=text, vision_config=PICTURE | {"projection_dim": 16}, projection_dim=16)
    return Named(hf.CLIPModel(config), ["input_ids", "pixel_values", "attention_mask"], ["logits_per_image"])


def patch_series() -> nn.Module:
    config = hf.PatchTSTConfig(num_input_channels=3, context_length=32, patch_length=4, patch_stride=4, d_model=16,
                               num_attention_heads=2, num_hidden_layers=2, ffn_dim=32, prediction_length=8)
    return Named(hf.PatchTSTForPrediction(config), ["past_values"], ["prediction_outputs"])


NETWORKS: Sequence[Case] = [
    encoder("albert", "AlbertConfig", "AlbertModel", embedding_size=16),
    encoder("bert", "BertConfig", "BertModel"),
    encoder("deberta_v2", "DebertaV2Config", "DebertaV2Model", relative_attention=True, pos_att_type=["c2p", "p2c"],
            position_buckets=8, max_relative_positions=16),
    encoder("distilbert", "DistilBertConfig", "DistilBertModel", dim=32, n_layers=2, n_heads=4, hidden_dim=64),
    encoder("electra", "ElectraConfig", "ElectraModel", embedding_size=16),
    encoder("modernbert", "ModernBertConfig", "ModernBertModel", pad_token_id=0, bos_token_id=1, eos_token_id=2,
            cls_token_id=1, sep_token_id=2, global_attn_every_n_layers=2, local_attention=8),
    encoder("mpnet", "MPNetConfig", "MPNetModel"),
    encoder("roberta", "RobertaConfig", "RobertaModel", pad_token_id=1),
    decoder("bloom", "BloomConfig", "BloomForCausalLM", n_layer=2, n_head=4),
    decoder("falcon", "FalconConfig", "FalconForCausalLM"),
    decoder("gemma2", "Gemma2Config", "Gemma2ForCausalLM", num_key_value_heads=2, head_dim=8),
    decoder("gpt2", "GPT2Config", "GPT2LMHeadModel", n_embd=32, n_layer=2, n_head=4),
    decoder("gpt_neox", "GPTNeoXConfig", "GPTNeoXForCausalLM"),
    decoder("llama", "LlamaConfig", "LlamaForCausalLM", num_key_value_heads=2),
    decoder("llama", "LlamaConfig", "LlamaForCausalLM", num_key_value_heads=2, dynamic=True),
    decoder("mamba", "MambaConfig", "MambaForCausalLM", state_size=8),
    decoder("mistral", "MistralConfig", "MistralForCausalLM", num_key_value_heads=2, sliding_window=8),
    decoder("opt", "OPTConfig", "OPTForCausalLM", ffn_dim=64, word_embed_proj_dim=32),
    decoder("phi", "PhiConfig", "PhiForCausalLM"),
    decoder("qwen2", "Qwen2Config", "Qwen2ForCausalLM", num_key_value_heads=2),
    decoder("qwen3", "Qwen3Config", "Qwen3ForCausalLM", num_key_value_heads=2, head_dim=8, dynamic=True),
    decoder("stablelm", "StableLmConfig", "StableLmForCausalLM", num_key_value_heads=4),
    both("bart", bart),
    both("t5", t5),
    network("hf_whisper", whisper, f32(1, 16, 64), words(7, 97)),
    network("hf_clip", clip, ints(2, 8, dtype=torch.int64, low=3, high=96), f32(1, 3, 32, 32),
            lambda: torch.ones(2, 8, dtype=torch.int64)),
    picture("beit", "BeitConfig", "BeitModel", "last_hidden_state", **PICTURE),
    picture("deit", "DeiTConfig", "DeiTModel", "last_hidden_state", **PICTURE),
    picture("dinov2", "Dinov2Config", "Dinov2Model", "last_hidden_state", **(PICTURE | {"mlp_ratio": 2})),
    picture("mobilevit", "MobileViTConfig", "MobileViTModel", "last_hidden_state", 64, image_size=64,
            hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 16, 24, 32], num_attention_heads=2),
    picture("segformer", "SegformerConfig", "SegformerForSemanticSegmentation", "logits", 64, depths=[1, 1, 1, 1],
            hidden_sizes=[8, 16, 24, 32], num_attention_heads=[1, 1, 2, 4], decoder_hidden_size=16, num_labels=4),
    picture("siglip", "SiglipVisionConfig", "SiglipVisionModel", "last_hidden_state", **PICTURE),
    picture("vit", "ViTConfig", "ViTModel", "last_hidden_state", **PICTURE),
    picture("yolos", "YolosConfig", "YolosForObjectDetection", "pred_boxes", **(PICTURE | {
        "image_size": [32, 32], "num_detection_tokens": 5, "use_mid_position_embeddings": False})),
    voice("hubert", "HubertConfig", "HubertModel"),
    voice("wav2vec2", "Wav2Vec2Config", "Wav2Vec2Model"),
    voice("wavlm", "WavLMConfig", "WavLMModel", num_buckets=16, max_bucket_distance=32),
    network("hf_patchtst", patch_series, f32(2, 32, 3)),
]
