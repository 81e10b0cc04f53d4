"""Networks for images and films: those of torchvision and timm with random weights, small ones of their kinds."""

from collections.abc import Callable, Sequence
from functools import partial

import timm
import torch
from torch import nn
from torchvision import models
from torchvision.models.resnet import BasicBlock, Bottleneck
from torchvision.models.segmentation import lraspp_mobilenet_v3_large
from torchvision.models.swin_transformer import PatchMergingV2, SwinTransformerBlockV2
from torchvision.models.video.resnet import BasicBlock as FilmBlock
from torchvision.models.video.resnet import BasicStem, Conv2Plus1D, Conv3DSimple, R2Plus1dStem, VideoResNet

from lib import Case, Source, f32
from network_lib import network

IMAGE: Source = f32(1, 3, 64, 64)


class Segmented(nn.Module):
    """The map of a network that gives several under names."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.model(image)["out"]


def film(convolution: type, stem: type) -> Callable[[], nn.Module]:
    return lambda: VideoResNet(FilmBlock, [convolution] * 4, [1, 1, 1, 1], stem, num_classes=5)


def swin_v2() -> nn.Module:
    return models.SwinTransformer(
        [4, 4], 16, [1, 2], [2, 4], [4, 4], num_classes=10, block=SwinTransformerBlockV2, downsample_layer=PatchMergingV2
    )


TORCHVISION: Sequence[tuple[str, Callable[[], nn.Module], Source]] = [
    ("alexnet", lambda: nn.Sequential(models.alexnet().features, nn.AdaptiveAvgPool2d(1), nn.Flatten()), IMAGE),
    ("googlenet", lambda: models.GoogLeNet(10, aux_logits=False, init_weights=False), IMAGE),
    ("lraspp", lambda: Segmented(lraspp_mobilenet_v3_large(weights_backbone=None, num_classes=4)), IMAGE),
    ("maxvit", lambda: models.MaxVit((64, 64), 16, 4, [16, 32], [1, 1], 8, 0.0, num_classes=10), IMAGE),
    ("mnasnet", lambda: models.mnasnet0_5(num_classes=10), IMAGE),
    ("mobilenet_v2", lambda: models.mobilenet_v2(num_classes=10, width_mult=0.5), IMAGE),
    ("regnet", lambda: models.regnet_y_400mf(num_classes=10), IMAGE),
    ("resnet_bottleneck", lambda: models.ResNet(Bottleneck, [1, 1, 1, 1], num_classes=10), IMAGE),
    ("resnet_batch", lambda: models.ResNet(BasicBlock, [1, 1, 1, 1], num_classes=10), f32(5, 3, 64, 64)),
    ("resnext", lambda: models.ResNet(Bottleneck, [1, 1, 1, 1], 10, groups=8, width_per_group=4), IMAGE),
    ("swin_v2", swin_v2, IMAGE),
    ("vgg", lambda: nn.Sequential(models.vgg11().features, nn.AdaptiveAvgPool2d(1), nn.Flatten()), IMAGE),
    ("film_r3d", film(Conv3DSimple, BasicStem), f32(1, 3, 4, 32, 32)),
    ("film_r2plus1d", film(Conv2Plus1D, R2Plus1dStem), f32(1, 3, 4, 32, 32)),
]

TIMM: Sequence[tuple[str, int]] = [
    ("dla46_c", 64),
    ("edgenext_xx_small", 64),
    ("efficientformerv2_s0", 224),
    ("efficientvit_m0", 224),
    ("ghostnet_050", 64),
    ("lcnet_035", 64),
    ("mixer_s32_224", 224),
    ("mobilenetv4_conv_small", 64),
    ("mobileone_s0", 64),
    ("mobilevitv2_050", 64),
    ("pit_ti_224", 224),
    ("repvit_m0_9", 64),
    ("semnasnet_050", 64),
    ("starnet_s1", 64),
    ("tinynet_e", 64),
    ("xcit_nano_12_p16_224", 224),
]

NETWORKS: Sequence[Case] = [
    *(network(name, module, image) for name, module, image in TORCHVISION),
    *(
        network(f"timm_{name}", partial(timm.create_model, name, num_classes=10), f32(1, 3, size, size))
        for name, size in TIMM
    ),
]
