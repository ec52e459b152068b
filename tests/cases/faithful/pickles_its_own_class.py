import pickle
from dataclasses import dataclass


@dataclass
class Point:
    x: int


print(pickle.loads(pickle.dumps(Point(3))))
