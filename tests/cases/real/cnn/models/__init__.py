from .resnet import TinyResNet

MODELS = {"resnet_tiny": TinyResNet}


def build_model(name, **kwargs):
    return MODELS[name](**kwargs)
