def generated(n): return []
