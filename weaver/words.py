"""The few words that the engine itself puts on a page, in each language."""

WORDS = {
    "ko": {
        "output": "출력",
        "torch": "torch {version}",
        "what_prints": "무엇이 출력될까요?",
        "answer": "답 보기",
        "right": "맞습니다.",
        "wrong": "아닙니다.",
        "the_answer": "실행 결과",
    },
    "en": {
        "output": "Output",
        "torch": "torch {version}",
        "what_prints": "What does it print?",
        "answer": "Show the answer",
        "right": "Right.",
        "wrong": "Not quite.",
        "the_answer": "From the run",
    },
}
