"""The few words that the engine itself puts on a page, in each language."""

WORDS = {
    "ko": {
        "output": "출력",
        "what_prints": "무엇이 출력될까요?",
        "answer": "답 보기",
        "right": "맞습니다.",
        "wrong": "아닙니다.",
    },
    "en": {
        "output": "Output",
        "what_prints": "What does it print?",
        "answer": "Show the answer",
        "right": "Right.",
        "wrong": "Not quite.",
    },
}
