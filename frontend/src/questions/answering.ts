import { signal } from "@preact/signals";

/** Answering is how a question is answered by cells of a tensor's picture. */
interface Answering {
  tensor: number;
  sentence: string; // what to do, in place of what the picture says else
  cells: readonly number[]; // chosen so far
  step?: readonly [across: number, down: number]; // of the arrow keys, in cells
  press: (cell: number) => void;
}

/** answering is what a question about cells has been answered by so far, while somebody answers it. */
export const answering = signal<Answering | undefined>(undefined);

/** concealed tells that a question about cells is asked: pictures show what the chosen program does, and whose the other cells are they do not. */
export const concealed = signal(false);
