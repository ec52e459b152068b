"""The English sentences about what a program trains, as in `words`. `{groups}` are parameters."""

ENGLISH = {
    "trained_again": "{by} goes on training {groups}, which the optimizer of line {also} trained before.",
    "trained_frozen": "{by} doesn't update {groups}: requires_grad is off.",
    "trained_frozen_also": "{by} also holds {groups}, but doesn't update that part: requires_grad is off.",
    "trained_left": "No torch.optim optimizer holds {groups}.",
    "trained_more": "And at least {n} more like this.",
    "trained_none": "{by} holds {groups}, but the gradient was None or 0 at each step that was watched.",
    "trained_none_also": "{by} also holds {groups}, but the gradient was None or 0 at each step that was watched.",
    "trained_off": "This line turns requires_grad off for {groups}.",
    "trained_off_least": "This line turns requires_grad off for {groups}, and perhaps for others in runs that weren't watched.",
    "trained_part": "Of all that optimizers hold, only {groups} get a gradient from {name}, a part of this loss.",
    "trained_reached": "backward() computes gradients here for {groups}.",
    "trained_reached_watched": "In the passes that were watched, backward() computed gradients here for {groups}.",
    "trained_several": "The loss uses {groups} several times: backward() adds up the gradients of all uses.",
    "trained_tied": "After this line, {name} and {leaf} are the same tensor.",
    "trained_updates": "{by} updates {groups}.",
    "trained_wasted": "Line {also} resets the gradients of {groups} before a step uses them.",
    "trained_written": "This line writes values to {groups} directly.",
    "trained_written_least": "This line writes values to {groups} directly, and perhaps to others in runs that weren't watched.",
}
