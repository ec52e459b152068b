from time import perf_counter

began = perf_counter()
print(perf_counter() - began)
