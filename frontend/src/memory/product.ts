import { type Access, elementAt, type Inspected, numberOf, type Operation, type Tensor } from "./inspected";
import { accessesOf, type Box, boxOf, touchedBy } from "./touched";
import { shapeOf } from "./values";

/** Product names the tensors of a matrix product by their numbers. */
export interface Product {
  left: number;
  right: number;
  result: number;
}

/** Matrix is a tensor of two axes or more, with what the shown program touches of it. */
interface Matrix {
  index: number;
  tensor: Tensor;
  isWritten: boolean;
  box: Box | undefined;
}

/** View is a matrix, or its transpose. */
interface View extends Matrix {
  transposed: boolean;
}

/** Reading is a way to read three tensors as a matrix product, with transposed factors. */
type Reading = Record<keyof Product, View>;

/**
 * productOf is the matrix product that a program makes: it takes a tl.dot, and of three tensors with the same leading axes the
 * first two are only read and the third, with the rows of the first and the columns of the second, is written. Where shapes leave
 * a choice, that of a transpose too, what the program touches decides, and where that does, what its tl.dot takes. There is none
 * where that leaves a choice, or a factor is transposed.
 */
export function productOf(inspected: Pick<Inspected, "tensors" | "steps" | "program" | "grid">): Product | undefined {
  const { steps } = inspected;
  const dot = steps.findIndex(({ op }) => op === "tl.dot");
  if (dot < 0) return undefined;
  const narrowings = [isTouched, (reading: Reading) => isTaken(steps, dot, reading)];
  const readings = narrowings.reduce((left, fits) => (left.length > 1 ? left.filter(fits) : left), readingsOf(matricesOf(inspected)));
  const [only, ...more] = readings;
  if (!only || more.length || only.left.transposed || only.right.transposed) return undefined;
  return { left: only.left.index, right: only.right.index, result: only.result.index };
}

function matricesOf({ tensors, steps, program, grid }: Pick<Inspected, "tensors" | "steps" | "program" | "grid">): Matrix[] {
  return tensors.flatMap((tensor, index) => {
    if (tensor.shape.length < 2) return [];
    const isWritten = tensor.writers.some((writer) => writer !== -1);
    const accesses = accessesOf(steps, index).filter(({ kind }) => isWritten === (kind !== "load"));
    const box = (isWritten && writtenBy(tensor, numberOf(program, grid))) || touchedBy(accesses, tensor)[0]?.box;
    return [{ index, tensor, isWritten, box }];
  });
}

/** writtenBy is what a program writes by the end; undefined where a cell stands for several elements, or it writes nothing. */
function writtenBy(tensor: Tensor, program: number): Box | undefined {
  const own = [...tensor.writers.keys()].filter((cell) => tensor.writers[cell] === program);
  return tensor.covers.every((elements) => elements === 1) ? boxOf(own.map((cell) => elementAt(tensor, cell)), tensor.shape) : undefined;
}

/** readingsOf are those that shapes allow. */
function readingsOf(matrices: readonly Matrix[]): Reading[] {
  const factors = matrices.filter(({ isWritten }) => !isWritten).flatMap((of): View[] => [{ ...of, transposed: false }, { ...of, transposed: true }]);
  const results = matrices.filter(({ isWritten }) => isWritten).map((of): View => ({ ...of, transposed: false }));
  const leading = ({ tensor }: View) => tensor.shape.slice(0, -2).join();
  return results.flatMap((result) => factors.flatMap((left) => factors.flatMap((right) => {
    const fits = left.index !== right.index && leading(left) === leading(result) && leading(right) === leading(result);
    return fits && matches({ left, right, result }, (view, axis) => view.tensor.shape.at(axis)) ? [{ left, right, result }] : [];
  })));
}

/** matches tells whether the axes that a product has in common are alike, by what is known of a matrix's rows (-2) or columns (-1). */
function matches({ left, right, result }: Reading, known: (of: View, axis: number) => unknown): boolean {
  const isAlike = (...axes: [of: View, axis: number][]) => {
    const [one, other] = axes.map(([of, axis]) => known(of, of.transposed ? -3 - axis : axis));
    return one === undefined || other === undefined || one === other;
  };
  return isAlike([left, -2], [result, -2]) && isAlike([left, -1], [right, -2]) && isAlike([right, -1], [result, -1]);
}

/** isTouched tells whether the program touches of each matrix what it needs of the others. */
function isTouched(reading: Reading): boolean {
  return matches(reading, ({ box }, axis) => box && [box.from.at(axis), box.to.at(axis)].join());
}

/** isTaken tells whether the factors of a step are what the program has loaded last, row by row, and its result is stored so. */
function isTaken(steps: readonly Operation[], dot: number, { left, right, result }: Reading): boolean {
  const { inputs, type = "" } = steps[dot] ?? {};
  const stored = accessesOf(steps.slice(dot), result.index).findLast(({ kind }) => kind !== "load");
  const takes = (factor: number, { index, tensor, transposed }: View) => {
    const input = inputs?.values[factor];
    const { access, values } = steps.slice(0, dot).findLast((step) => step.access?.tensor === index) ?? {};
    if (!input || !access || values?.length !== input.values.length) return false;
    const [rows = 1, columns = 1] = shapeOf(input.type).shape.slice(-2);
    const loaded = (lane: number) => lane - (lane % (rows * columns)) + (lane % columns) * rows + Math.floor((lane % (rows * columns)) / columns);
    return isRowMajor(access, tensor, transposed ? [columns, rows] : [rows, columns])
      && input.values.every((value, lane) => Object.is(value, values[transposed ? loaded(lane) : lane]));
  };
  return takes(0, left) && takes(1, right) && stored !== undefined && isRowMajor(stored, result.tensor, shapeOf(type).shape);
}

/** isRowMajor tells whether lanes of a block's row are neighbours in memory, and its rows as far apart as those of a tensor. */
function isRowMajor({ elements }: Access, { shape }: Tensor, block: readonly number[]): boolean {
  const [rows = 1, columns = 1] = block.slice(-2);
  const step = (lane: number) => (elements[lane] ?? 0) - (elements[0] ?? 0);
  return elements.length >= rows * columns && (columns < 2 || step(1) === 1) && (rows < 2 || step(columns) === shape.at(-1));
}
