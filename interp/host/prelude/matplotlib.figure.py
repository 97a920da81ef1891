from matplotlib.pyplot import Figure
