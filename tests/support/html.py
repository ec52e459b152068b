"""What is hard to show, and a reader of HTML."""

from html.parser import HTMLParser

NASTY = {
    "script": "<script>alert(1)</script>",
    "markdown": "**bold** _x_ [a](b) # head",
    "entities": "&lt; &amp;amp; &#60;",
    "fence": "```",
    "long fence": "``````` python",
    "ansi": "\x1b[31mred\x1b[0m",
    "nul": "a\x00b",
    "right to left": "a\u202eb\u200f",
    "template": "{{ config }} {% raw %}",
    "our own marks": "\U000f0000 \U000f0001",
    "end of the element": "</samp></pre></div></figure>",
    "carriage return": "a\rb",
}


class Text(HTMLParser):
    """The text inside the elements of one tag."""

    def __init__(self, tag, html):
        super().__init__()
        self.tag, self.depth, self.text, self.tags = tag, 0, "", []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.depth += tag == self.tag

    def handle_endtag(self, tag):
        self.depth -= tag == self.tag

    def handle_data(self, data):
        self.text += data if self.depth else ""
