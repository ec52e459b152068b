"""What the search knows beside the text: the keywords of the pages, and other words for theirs."""

import json
from pathlib import Path

import yaml

SYNONYMS = Path(__file__).with_name("synonyms.yml")


def enrich(index: Path, keywords: dict[str, list[str]]) -> None:
    """Add to Material's index `keywords`, those of the page at each address, and our synonyms.

    `theme/assets/search.js` reads them; a site without Material's search has no index.
    """
    if not index.exists():
        return
    found = json.loads(index.read_text(encoding="utf-8"))
    for entry in found["docs"]:
        if words := keywords.get(entry["location"]):
            entry["keywords"] = words
    found["config"]["synonyms"] = yaml.safe_load(SYNONYMS.read_text(encoding="utf-8"))
    index.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
