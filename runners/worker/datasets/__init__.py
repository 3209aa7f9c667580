"""Real data, checked: the data sets' official layouts, without any framework and without NumPy.

The directory that a user names is a data set's own folder, or holds several of them under their official names.
"""

from runners.worker.datasets.pictures import cifar10, image_folder
from runners.worker.datasets.reviews import imdb
from runners.worker.datasets.xrays import chestxray

__all__ = ["chestxray", "cifar10", "image_folder", "imdb"]
