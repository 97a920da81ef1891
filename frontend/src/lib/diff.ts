/** Row is a line of two texts: of both, or of one of them. */
export interface Row {
  kind: "same" | "added" | "removed";
  at: number; // the line's index: in the text before where it is removed, else in the text after
}

/** Skipped stands for some rows of both texts. */
export interface Skipped {
  kind: "skipped";
  count: number;
}

/** Texts that differ in more lines than this are told apart as wholes: the work grows with the square of it. */
const maxEdits = 3000;

/**
 * diff gives the rows of two texts with as few added and removed ones as possible (Myers, An O(ND) Difference Algorithm and Its
 * Variations, 1986).
 */
export function diff(before: readonly string[], after: readonly string[]): Row[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const middle = edits(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const same = (from: number, to: number) => Array.from({ length: to - from }, (_, i): Row => ({ kind: "same", at: from + i }));
  return [...same(0, head), ...middle.map((row) => ({ ...row, at: row.at + head })), ...same(after.length - tail, after.length)];
}

/** edits is diff of texts that begin and end differently. */
function edits(before: readonly string[], after: readonly string[]): Row[] {
  const [n, m] = [before.length, after.length];
  const limit = Math.min(n + m, maxEdits);
  const furthest = new Int32Array(2 * limit + 3); // by diagonal: how far one comes in the text before
  const trace: Int32Array[] = [];
  for (let d = 0; d <= limit; d++) {
    trace.push(furthest.slice(limit - d, limit + d + 3));
    for (let k = -d; k <= d; k += 2) {
      const at = limit + 1 + k;
      const [down, right] = [furthest[at + 1] ?? 0, (furthest[at - 1] ?? 0) + 1];
      let x = k === -d || (k !== d && right <= down) ? down : right;
      while (x < n && x - k < m && before[x] === after[x - k]) x++;
      furthest[at] = x;
      if (x >= n && x - k >= m) return path(trace, n, m);
    }
  }
  return [...before.map((_, at): Row => ({ kind: "removed", at })), ...after.map((_, at): Row => ({ kind: "added", at }))];
}

/** path goes back through how far each number of edits has come. */
function path(trace: readonly Int32Array[], n: number, m: number): Row[] {
  const rows: Row[] = [];
  let [x, y] = [n, m];
  for (let d = trace.length - 1; d >= 0; d--) {
    const of = (k: number) => trace[d]?.[k + d + 1] ?? 0;
    const k = x - y;
    const down = k === -d || (k !== d && of(k - 1) < of(k + 1));
    const [fromX, fromK] = down ? [of(k + 1), k + 1] : [of(k - 1), k - 1];
    const fromY = fromX - fromK;
    while (x > 0 && y > 0 && (d === 0 || (x > fromX && y > fromY))) {
      rows.push({ kind: "same", at: --y });
      x--;
    }
    if (d > 0) rows.push(down ? { kind: "added", at: --y } : { kind: "removed", at: --x });
  }
  return rows.reverse();
}

/** condense leaves out rows of both texts that are further than some from the next difference. */
export function condense(rows: readonly Row[], context: number): (Row | Skipped)[] {
  const near = (i: number) => rows.slice(Math.max(0, i - context), i + context + 1).some((row) => row.kind !== "same");
  const condensed: (Row | Skipped)[] = [];
  rows.forEach((row, i) => {
    const last = condensed.at(-1);
    if (near(i)) condensed.push(row);
    else if (last?.kind === "skipped") last.count++;
    else condensed.push({ kind: "skipped", count: 1 });
  });
  return condensed;
}

/** nextOf is the number of the next of some things, or with -1 of the previous one, around both ends; now is -1 before the first. */
export function nextOf(count: number, now: number, by: 1 | -1): number {
  return now < 0 && by < 0 ? count - 1 : (now + by + count) % count;
}
