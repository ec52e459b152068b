import multiprocessing


def double(x):
    return 2 * x


with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(double, [1, 2, 3]))
