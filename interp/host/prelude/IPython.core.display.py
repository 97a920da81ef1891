from IPython.display import *
