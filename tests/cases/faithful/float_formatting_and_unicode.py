print("\u03b1 \ud55c\uae00 \x1b[31mred\x1b[0m \x00 \u202e <script>")
