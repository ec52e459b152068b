print({name for name in ("a", "b", "c", "d", "e", "f")})
