from matplotlib.pyplot import Line2D
