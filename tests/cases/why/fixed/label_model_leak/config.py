"""The settings of learning."""
from dataclasses import dataclass


@dataclass
class LearningConfig:
    epochs: int = 5
    batch_size: int = 64
    step_size: float = 0.01
    momentum: float = 0.9
