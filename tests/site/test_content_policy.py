"""The content security policy."""

import base64
import hashlib

from weaver.site.content_policy import protect


def digest(code):
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def test_only_the_inline_code_of_the_page_is_allowed():
    page = '<meta charset="utf-8"><script>a()</script><style>b{}</style><script src="c.js"></script>'
    policy = protect(page)
    assert f"script-src &#x27;self&#x27; &#x27;sha256-{digest('a()')}&#x27;;" in policy
    assert f"style-src &#x27;self&#x27; &#x27;sha256-{digest('b{}')}&#x27;;" in policy
    assert "unsafe-eval" not in policy and "http:" not in policy
    assert policy.index("Content-Security-Policy") < policy.index("<script>")


def test_data_is_no_code():
    page = '<meta charset="utf-8"><script type="application/ld+json">{}</script><script id="c" type="application/json">1</script>'
    assert "sha256" not in protect(page)
