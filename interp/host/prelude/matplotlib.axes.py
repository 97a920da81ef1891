from matplotlib.pyplot import Axes
