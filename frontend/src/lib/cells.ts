// A document is one text in the percent format of Spyder, VS Code and jupytext: a line "# %%" begins a cell, and
// "# %% [markdown]" one of prose in comments. interp/document reads the same lines.

/** Cell is a part of a document's text. */
export interface Cell {
  index: number;
  kind: "code" | "markdown" | "raw";
  start: number; // of its marker, or of its code where it has none
  from: number; // of its code
  to: number; // where its code ends, without the empty lines after it
  end: number; // where the next cell begins
  line: number; // of from, counted from 1
  title: string; // the text of its marker, or its first line
}

const marker = /^#[ \t]*(?:%%+(?:[ \t\r].*)?|In\[[0-9 ]*\]:?[ \t\r]*|<codecell>[ \t\r]*)$/;
const kind = /\[(markdown|md|raw)\]/;

let last: { text: string; cells: readonly Cell[] } | undefined;

/**
 * cellsOf reads a document; what stands before the first marker is a cell if it is more than space. Views ask one after the
 * other about the same text, of megabytes in a notebook: the last one's cells are kept.
 */
export function cellsOf(text: string): readonly Cell[] {
  if (last?.text !== text) last = { text, cells: read(text) };
  return last.cells;
}

function read(text: string): Cell[] {
  const cells: Cell[] = [];
  const lines = text.split("\n");
  let lead = "", start = 0, from = 0, line = 1;
  const close = (end: number) => {
    const code = text.slice(from, end);
    const body = code.trimEnd();
    if (lead || body || end === text.length && !cells.length) {
      const named = kind.exec(lead)?.[1];
      const is = named === undefined ? "code" : named === "raw" ? "raw" : "markdown";
      cells.push({ index: cells.length, kind: is, start, from, to: from + body.length, end, line, title: titleOf(lead, body) });
    }
  };
  let at = 0;
  lines.forEach((l, i) => {
    const next = Math.min(text.length, at + l.length + 1);
    if (marker.test(l)) {
      close(at);
      [lead, start, from, line] = [l, at, next, i + 2];
    }
    at = next;
  });
  close(text.length);
  return cells;
}

/** cellAt is the cell that contains an offset. */
export function cellAt(cells: readonly Cell[], offset: number): Cell | undefined {
  return cells.find((c) => offset < c.end) ?? cells.at(-1);
}

function titleOf(lead: string, body: string): string {
  const said = lead.replace(/^#[ \t]*(?:%%+|In\[[0-9 ]*\]:?|<codecell>)/, "").replace(kind, "").trim();
  if (said) return said;
  const prose = kind.test(lead);
  for (const line of body.split("\n").map((l) => l.trim())) {
    const first = line === "#" ? "" : prose ? saidBy(line) : line;
    if (first) return first;
  }
  return "";
}

/** wordless is a line that only draws a rule, or begins or ends code. */
const wordless = /^(?:([-*_])[ \t]*(?:\1[ \t]*){2,}|(?:```|~~~).*)$/;

/** saidBy is what a line of Markdown says, without its marks; a picture says its name. */
function saidBy(line: string): string {
  const plain = line.replace(/^#[ \t]*(?:[#>]+[ \t]*)*/, "").replace(wordless, "").replace(/<[^>]*\balt="([^"]*)"[^>]*>/g, "$1").replace(/<[^>]*>/g, "");
  return plain.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*|__|`/g, "").trim();
}

/** blockLines is how many lines a block of what is printed has, or a few more. */
const blockLines = 50;

/** wholeBlocks divides a text from an offset on into blocks of lines; none ends with an empty line, nor holds the last lines. */
export function wholeBlocks(text: string, from: number): string[] {
  const blocks: string[] = [];
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (++lines < blockLines || /\s/.test(text.charAt(at - 1))) continue;
    blocks.push(text.slice(from, at));
    [from, lines] = [at + 1, 0];
  }
  return blocks;
}

/** terminal is a text as a terminal shows it: without colours, and with what a carriage return has overwritten gone. */
export function terminal(text: string): string {
  const plain = text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replace(/\r+\n/g, "\n");
  return plain.includes("\r") ? plain.split("\n").map((l) => l.slice(l.lastIndexOf("\r", l.length - 2) + 1).replace("\r", "")).join("\n") : plain;
}
