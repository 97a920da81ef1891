import type { Line } from "../gen/code";
import type { Compiled } from "../gen/protocol";

/** runLines are the lines of a device's PTX with their places in the source that was run. */
export function runLines({ ptx, lines }: Pick<Compiled, "ptx" | "lines">, source: string): Line[] {
  const place = placesIn(source);
  return ptx.replace(/\n$/, "").split("\n").map((text, i) => {
    const [start, end] = [lines[2 * i] ?? 0, lines[2 * i + 1] ?? 0];
    if (start === 0 && end === 0) return { text, from: 0, to: 0, line: 0 };
    const from = place(start);
    return { text, from: from.at, to: place(end).at, line: from.line };
  });
}

/** placesIn gives for a byte offset in UTF-8 the editor's offset and the line. */
function placesIn(source: string): (byte: number) => { at: number; line: number } {
  const at: number[] = [];
  const lines: number[] = [];
  let line = 1;
  let index = 0;
  for (const letter of source) {
    const bytes = letter.codePointAt(0) as number;
    const length = bytes < 0x80 ? 1 : bytes < 0x800 ? 2 : bytes < 0x10000 ? 3 : 4;
    for (let i = 0; i < length; i++) {
      at.push(index);
      lines.push(line);
    }
    index += letter.length;
    if (letter === "\n") line++;
  }
  at.push(index);
  lines.push(line);
  return (byte) => {
    const i = Math.min(byte, at.length - 1);
    return { at: at[i] ?? 0, line: lines[i] ?? 1 };
  };
}
