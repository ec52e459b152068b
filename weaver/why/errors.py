"""What usually causes an error, by words of its message: the site's sections begin with it."""

# section -> what its message has in it, the cause, what to do; the first that fits counts
ERRORS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "errors-in-place#e05-view-of-a-leaf": (
        ("a view of a leaf Variable that requires grad",),
        "Usually some elements are set by hand, as in `w[0] = 5`.",
        "Do that inside `torch.no_grad()`. If the change should be differentiated, change a `clone()`.",
    ),
    "errors-transforms#e45-not-implemented": (
        ("derivative for", "_backward is not implemented"),
        "Usually it's a transformer's fused attention under a gradient penalty.",
        "Run the forward pass inside `sdpa_kernel(SDPBackend.MATH)`.",
    ),
    "errors-backward#e06-only-for-scalar-outputs": (
        ("only for scalar outputs",),
        "Usually there's one loss per sample.",
        "Reduce it first: `loss.mean().backward()`.",
    ),
    "errors-backward#e15-mismatch-in-shape": (
        ("Mismatch in shape",),
        "Usually old code passes `torch.ones(1)` for a scalar loss.",
        "Call `loss.backward()` without an argument.",
    ),
    "errors-backward#e42-not-implemented": (
        ("derivative for", "is not implemented"),
        "Usually it's `//` on a tensor that requires grad.",
        'Use `torch.div(x, 2, rounding_mode="floor")`, whose gradient is 0, or pass the gradient '
        'through on purpose.',
    ),
    "errors-backward#e44-float-index": (
        ("tensors used as indices",),
        "Usually a computed index is a float.",
        "If it doesn't need a gradient, write `.round().long()`. If it should learn, take a "
        "weighted sum of all entries.",
    ),
    "errors-backward#e14-does-not-require-grad": (
        ("One of the differentiated Tensors", "does not require grad"),
        "Usually `x` is input data.",
        "Call `x.requires_grad_()` before the loss is computed.",
    ),
    "errors-backward#e43-invalid-values": (
        ("found invalid values",),
        "Usually an earlier step made the weights `nan`.",
        "Stop before that step: clip with `error_if_nonfinite=True`.",
    ),
    "errors-function#e18-number-of-gradients": (
        ("returned an incorrect number of gradients",),
        "Usually `forward` takes a number or a flag, and `backward` returns nothing for it.",
        "Return a gradient for each tensor argument of `forward`, and `None` for every other argument.",
    ),
    "errors-function#e19-gradient-shape": (
        ("returned an invalid gradient at index",),
        "Usually `forward` selects a part or computes a sum, and `backward` returns a gradient "
        "in the output's shape.",
        "Return one in the input's shape.",
    ),
    "errors-function#e21-save-for-backward": (
        ("save_for_backward can only save variables",),
        "Usually it's a number, a flag or a shape.",
        "Keep it as an attribute, `ctx.n = n`, and save only tensors.",
    ),
    "errors-function#e23-no-backward": (
        ("You must implement either the backward or vjp method",),
        "Usually the name is misspelled, as `backwards`, or the indentation puts the method "
        "outside the class.",
        "Name it `backward`, and indent it.",
    ),
    "errors-function#e22-once-differentiable": (
        ("marked with @once_differentiable",),
        "Usually a gradient penalty goes through a library's Function.",
        "Use plain torch operations there, or write `backward` with them and remove the decorator.",
    ),
    "errors-function#e35-hook-on-a-constant": (
        ("cannot register a hook on a tensor that doesn't require gradient",),
        "Usually the forward pass ran in `torch.no_grad()`, as with Grad-CAM during evaluation.",
        "Run it with recording on, and let the input or a weight before it require grad.",
    ),
    "errors-function#e71-changed-the-size": (
        ("has changed the size of value",),
        "Usually a hook that should only look at the gradient returns a value, often from a `lambda`.",
        "Return nothing, or a tensor of the gradient's shape.",
    ),
    "errors-function#e72-after-a-non-leaf": (
        ("post accumulate grad hooks cannot be registered on non-leaf",),
        "Usually you want an intermediate gradient.",
        "Use `register_hook` there, because this kind of hook is for leaves.",
    ),
    "errors-function#e73-both-kinds": (
        ("Cannot use both regular backward hooks and full backward hooks",),
        "Usually a library uses the old hooks and your code the new ones.",
        "Change all of them to `register_full_backward_hook`.",
    ),
    "errors-in-place#e04-leaf": (
        ("a leaf Variable that requires grad", "in-place operation"),
        "Usually it's a manual update or initialization.",
        "Write it inside `with torch.no_grad():`.",
    ),
    "errors-in-place#e27a-one-of-many-views": (
        ("is a view and is being modified inplace", "multiple views"),
        "Usually `q *= scale` follows `q, k, v = qkv.unbind(0)` or `chunk(3)`.",
        "Write `q = q * scale`.",
    ),
    "errors-in-place#e27b-base-of-many-views": (
        ("its base or another view of its base", "multiple views"),
        "Usually `y *= 2` comes after `unbind`, `split`, `chunk` or a loop over `y`.",
        "Write it before you take the views.",
    ),
    "errors-in-place#e27c-view-from-no-grad": (
        ("A view was created in no_grad mode",),
        "Usually a function under `@torch.no_grad()` returns a slice that's written to later.",
        "Take the view and write to it on the same side of the block, outside if the write "
        "should be recorded.",
    ),
    "errors-in-place#e27d-detach-on-a-view": (
        ("Can't detach views in-place",),
        "Usually hidden states are taken by index or in a loop.",
        "Drop the underscore: `h = h.detach()`.",
    ),
    "errors-in-place#e41-single-memory-location": (
        ("more than one element of the written-to tensor", "single memory location"),
        "Usually an in-place operation follows `expand()`, which repeats elements without copying them.",
        "Add `.clone()` after `expand()`.",
    ),
    "errors-in-place#e34-backward-hook": (
        ("BackwardHookFunction", "is being modified inplace"),
        "Usually Grad-CAM or another tool hooks a model with `nn.ReLU(inplace=True)`.",
        "Turn `inplace` off in every module.",
    ),
    "errors-in-place#e28-out-argument": (
        ("functions with out=... arguments",),
        "Usually code written for inference is used in training.",
        "Use the returned value instead.",
    ),
    "errors-in-place#e25a-in-place-update": (
        ("Inplace update to inference tensor",),
        "Usually the last line of an evaluation, `total /= n`, isn't indented into the block.",
        "Indent it, or write `mean = total / n`.",
    ),
    "errors-in-place#e25b-requires-grad": (
        ("Setting requires_grad=True on inference tensor",),
        "Usually you optimize an image or embedding from `inference_mode()`.",
        "Write `image.clone().requires_grad_()` outside.",
    ),
    "errors-leaf#e11-retain-grad-on-a-constant": (
        ("can't retain_grad",),
        "Usually the input doesn't require grad, as with saliency maps.",
        "Turn it on before the forward pass.",
    ),
    "errors-leaf#e16-gradient-of-another-size": (
        ("attempting to assign a gradient of size",),
        "Usually gradients of single samples weren't added up.",
        "Write `per_sample.sum(dim=0)`, or `mean` if the loss is a mean.",
    ),
    "errors-leaf#e17-none-has-no-zero": (
        ("'NoneType' object has no attribute 'zero_'",),
        "Usually the gradient is cleared before the first `backward()`, or `w = w - …` made a new `w`.",
        "Clear with `w.grad = None`, and update in place inside `no_grad()`.",
    ),
    "errors-leaf#e09-whole-numbers": (
        ("Only Tensors of floating point and complex dtype",),
        "Usually the decimal point is missing.",
        "Write `1.0`, or call `.float()` before you turn `requires_grad` on.",
    ),
    "errors-leaf#e10-flag-of-a-result": (
        ("you can only change requires_grad flags of leaf variables",),
        "Usually you want the gradient to stop at `y`.",
        "Go on with `y.detach()`.",
    ),
    "errors-leaf#e12-non-leaf-in-an-optimizer": (
        ("can't optimize a non-leaf Tensor",),
        "Usually an operation follows `requires_grad=True`: `.to(device)`, `.double()`, `* 0.01`.",
        "Compute the values first, and turn `requires_grad` on last.",
    ),
    "errors-leaf#e33-result-as-a-parameter": (
        ("cannot assign", "as parameter"),
        "Usually it's a manual update or initialization.",
        "Keep the parameter, and change its values inside `torch.no_grad()`.",
    ),
    "errors-leaf#e38-empty-parameter-list": (
        ("optimizer got an empty parameter list",),
        "Usually the layers are in a plain list, where a module doesn't look.",
        "Put them into `nn.ModuleList`.",
    ),
    "errors-leaf#e07-numpy": (
        ("Can't call numpy() on Tensor that requires grad",),
        "Usually a prediction or a loss is plotted.",
        "Write `x.detach().numpy()`, and `clone()` first if you change the array.",
    ),
    "errors-leaf#e26-deepcopy-of-a-result": (
        ("Only Tensors created explicitly by the user", "support the deepcopy protocol"),
        "Usually a module keeps a result, as in `self.last = h`, and is copied after a forward pass.",
        "Keep `h.detach()`.",
    ),
    "errors-training#e55-unscale-fp16": (
        ("Attempting to unscale FP16 gradients",),
        "Usually the model was converted with `half()` or loaded in `float16`.",
        "Convert the trainable weights to `float32`, and let `autocast` do the rest.",
    ),
    "errors-training#e56-no-inf-checks": (
        ("No inf checks were recorded for this optimizer",),
        "Usually `zero_grad()` comes between `backward()` and `step()`, or `backward()` is missing.",
        "Call `zero_grad()` before `backward()`.",
    ),
    "errors-training#e57-unscale-twice": (
        ("unscale_() has already been called",),
        "Usually you accumulate gradients and clip in each part.",
        "Call `unscale_()` once, after the last `backward()`.",
    ),
    "errors-training#e58-same-dtype": (
        ("must have the same dtype",),
        "Usually a layer outside the `autocast` block receives the block's output.",
        "Move the layer into the block, or write `h.float()`.",
    ),
    "errors-training#e60-non-finite-norm": (
        ("The total norm", "is non-finite"),
        "Usually one gradient is `inf` or `nan`.",
        "Find its parameter, then look for a root, logarithm or division at 0 before it.",
    ),
    "errors-training#e61-two-groups": (
        ("some parameters appear in more than one parameter group",),
        "Usually the last layer has its own learning rate, and `model.parameters()` contains it again.",
        "Take it out of the rest.",
    ),
    "errors-training#e62-size-of-the-group": (
        ("doesn't match the size of optimizer's group",),
        "Usually layers were frozen or unfrozen in between.",
        "Give the optimizer all parameters, before you save and before you load. It skips those "
        "whose `.grad` is `None`.",
    ),
    "errors-training#e63-tuple": (
        ("'tuple' object has no attribute 'detach'",),
        "Usually code for an RNN or a GRU now runs an LSTM, whose state is `(h, c)`.",
        "Detach both parts.",
    ),
    "errors-training#e64-hidden-size": (
        ("Expected hidden[0] size",),
        "Usually the last batch is smaller, or `batch_first=True` is missing.",
        "Don't pass a state if each batch starts fresh. Otherwise, use `drop_last=True`.",
    ),
    "errors-transforms#e52-real-scalar": (
        ("only for real scalar outputs",),
        "Usually it's `z * z.conj()`, whose dtype is complex.",
        "Write `z.abs() ** 2`, or add `.real`.",
    ),
    "errors-transforms#e53-sparse-gradient": (
        ("does not support sparse gradients",),
        "Usually one optimizer gets the whole model with an `nn.Embedding(sparse=True)`.",
        "Give the embedding a `SparseAdam`, or leave out `sparse=True`.",
    ),
}


def case(section: str) -> str:
    """Return the case of a finding that a section explains: `page#e04-leaf` -> `e04_leaf`."""
    return section.partition("#")[2].replace("-", "_")


def section_of(error: str) -> str | None:
    """Return the section that explains an error, given as `Type: message`; None if there is none."""
    text = " ".join(error.split())
    return next((one for one, (parts, *_) in ERRORS.items() if all(part in text for part in parts)), None)


ENGLISH = {
    key: text
    for section, (_, cause, do) in ERRORS.items()
    for key, text in ((f"error_{case(section)}", cause), (f"error_{case(section)}_do", do))
}
