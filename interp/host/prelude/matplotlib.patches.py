from matplotlib.pyplot import Patch
