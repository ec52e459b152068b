"""Pictures of what a run left: the autograd graph, the memory of tensors."""
