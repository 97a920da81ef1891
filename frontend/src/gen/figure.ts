// Code generated from interp/figure/figure.go. DO NOT EDIT.

/** Figure is a picture: axes that lie in a grid. */
export interface Figure {
  name?: string; // of the file that it was saved as
  title?: string;
  width: number; // in inches
  height: number;
  rows: number; // of the grid
  columns: number;
  axes: Axes[];
}

/** Axes are one plot of a figure. */
export interface Axes {
  row: number; // in the figure's grid, from 0
  column: number;
  title?: string;
  x: Axis;
  y: Axis;
  hidden?: boolean; // only the marks are drawn: no lines, ticks and labels around them
  equal?: boolean; // one unit is as long along x as along y
  grid?: boolean;
  legend?: boolean; // the labels of the marks are shown
  marks: Mark[]; // in the order in which they are drawn
}

/** Axis is one direction of a plot. */
export interface Axis {
  label?: string;
  base?: number; // of a logarithmic scale; 0 for a linear one
  low?: number; // at the left or the bottom; nil where the marks decide
  high?: number;
  ticks?: Numbers; // nil where the drawer decides
  names?: string[]; // of the ticks, or of the categories 0, 1, … where there are no ticks
}

/** Kind says what a mark is. */
export type Kind = string;

/** Mark is one thing in a plot. Points whose numbers are not finite are gaps. */
export interface Mark {
  kind: Kind;
  label?: string; // in the legend; "" for none
  x?: Numbers;
  y?: Numbers;
  base?: Numbers;
  sizes?: Numbers; // of the points of a scatter plot, in points squared
  color?: string; // "#rrggbb"; "" for color Cycle of the drawer's own
  cycle: number; // counts the marks of a plot without a color, from 0
  colors?: string[]; // of the points, where each has its own
  style?: string; // of a line: "-", "--", "-." or ":"; "" for none
  marker?: string; // of a point, as matplotlib names it: "o", "s", "^", …; "" for none
  width?: number; // of lines, in points; of bars, in units of the axis
  alpha: number; // opacity, 0 to 1
  text?: string;
  inAxes?: boolean; // X and Y of a text are fractions of the axes, up and to the right
  image?: Image;
}

/** Image is a picture of Rows × Columns pixels with one channel, which a colormap colors, or 3 or 4: red, green, blue, opacity. */
export interface Image {
  rows: number;
  columns: number;
  channels: number;
  values: Numbers; // by row, column and channel
  low: number; // the values at the ends of the colormap, or of a channel
  high: number;
  colormap?: string; // a name that Colormap knows
  colorbar?: boolean; // the colormap is shown beside it
  fromLow?: boolean; // the first row is at the bottom
  extent?: number[];
}

/** Numbers are float64s; in JSON those that are not finite are null. */
export type Numbers = number[];
