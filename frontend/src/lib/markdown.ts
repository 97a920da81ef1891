// Markdown by strangers, read into a tree of plain values; whoever shows it makes elements of the
// tree, so that no text is ever taken for HTML. It covers what puzzles use: paragraphs, headings,
// lists, tables, code, emphasis, formulas. A link becomes its words and its address, both as text.

/** Inline is a piece of a line. */
export type Inline =
  | { kind: "text" | "code" | "math" | "display"; text: string }
  | { kind: "strong" | "em"; children: Inline[] };

/** Block is a part of a document. */
export type Block =
  | { kind: "paragraph" | "heading"; children: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: Block[][] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

/** What is nested deeper is text. */
const maxDepth = 8;

/** blocks reads a document. */
export function blocks(source: string, depth = 0): Block[] {
  const lines = source.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n");
  const found: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const reader = depth < maxDepth ? readers.find((r) => r.begins.test(lines[at] ?? "")) : undefined;
    const [block, next] = (reader?.read ?? paragraph)(lines, at, depth);
    found.push(block);
    at = next;
  }
  return found;
}

type Read = (lines: string[], at: number, depth: number) => [Block, number];

/** bullet begins an item of a list; the marker's width is how far what belongs to it is indented. */
const bullet = /^( {0,3}(?:[-*+]|\d{1,9}[.)])) +(?=\S)/;
const rule = /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:? *)?$/;

/** readers are tried in order; a line that none takes begins a paragraph. */
const readers: { begins: RegExp; read: Read }[] = [
  { begins: /^ {0,3}(?:```|~~~)/, read: fence },
  { begins: /^ {0,3}#{1,6} /, read: (lines, at) => [{ kind: "heading", children: inline(headingText(lines[at] ?? "")) }, at + 1] },
  { begins: bullet, read: list },
  { begins: /^ {0,3}>/, read: quote },
  { begins: /^ *\|/, read: table },
];

/** headingText is a heading without its marks, which may also be behind it. */
function headingText(line: string): string {
  const text = line.trim();
  const marks = (from: number, by: 1 | -1) => {
    let at = from;
    while (text[at] === "#") at += by;
    return at;
  };
  const last = marks(text.length - 1, -1);
  return text.slice(marks(0, 1), text[last] === " " ? last : undefined).trim();
}

function paragraph(lines: string[], at: number): [Block, number] {
  const end = endOf(lines, at + 1, (l) => !isBlank(l) && !readers.some((r) => r.begins.test(l)));
  return [{ kind: "paragraph", children: inline(lines.slice(at, end).map((l) => l.trim()).join("\n")) }, end];
}

function fence(lines: string[], at: number): [Block, number] {
  const mark = (lines[at] ?? "").trim().slice(0, 3);
  const end = endOf(lines, at + 1, (l) => !l.trim().startsWith(mark));
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function quote(lines: string[], at: number, depth: number): [Block, number] {
  const end = endOf(lines, at, (l) => /^ {0,3}>/.test(l));
  return [{ kind: "quote", blocks: blocks(lines.slice(at, end).map((l) => l.replace(/^ *> ?/, "")).join("\n"), depth + 1) }, end];
}

function list(lines: string[], at: number, depth: number): [Block, number] {
  const ordered = /^ *\d/.test(lines[at] ?? "");
  const items: Block[][] = [];
  while (at < lines.length) {
    const first = bullet.exec(lines[at] ?? "");
    if (!first || /^ *\d/.test(first[0]) !== ordered) break;
    const width = first[0].length;
    const end = endOf(lines, at + 1, (l, i) => indentOf(l) >= 2 || (isBlank(l) && indentOf(lines[i + 1] ?? "") >= 2));
    const body = lines.slice(at, end).map((l) => l.slice(Math.min(width, indentOf(l.replace(bullet, (m) => " ".repeat(m.length))))));
    items.push(blocks(body.join("\n"), depth + 1));
    at = endOf(lines, end, isBlank);
  }
  return [{ kind: "list", ordered, items }, at];
}

function table(lines: string[], at: number): [Block, number] {
  const end = endOf(lines, at, (l) => /^ *\|/.test(l));
  const rows = lines.slice(at, end).filter((l) => !rule.test(l)).map((l) => l.trim().replace(/^\||\|$/g, "").split("|").map((cell) => inline(cell.trim())));
  const headed = rule.test(lines[at + 1] ?? "");
  return [{ kind: "table", head: headed ? (rows[0] ?? []) : [], rows: headed ? rows.slice(1) : rows }, end];
}

/** endOf is the first line from a position on that does not belong. */
function endOf(lines: string[], from: number, belongs: (line: string, at: number) => boolean): number {
  while (from < lines.length && belongs(lines[from] ?? "", from)) from++;
  return from;
}

function indentOf(line: string): number {
  return isBlank(line) ? 0 : line.length - line.trimStart().length;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

/** Mark is a pair of marks in a line; a mark that nothing closes is text. */
interface Mark {
  open: string;
  close: string;
  make: (text: string, depth: number) => Inline[];
}

const leaf = (kind: "code" | "math" | "display") => (text: string): Inline[] => [{ kind, text }];
const branch = (kind: "strong" | "em") => (text: string, depth: number): Inline[] => [{ kind, children: inline(text, depth + 1) }];

const marks: Mark[] = [
  { open: "``", close: "``", make: (text) => [{ kind: "code", text: text.trim() }] },
  { open: "`", close: "`", make: leaf("code") },
  { open: "$$", close: "$$", make: leaf("display") },
  { open: "$", close: "$", make: leaf("math") },
  { open: "**", close: "**", make: branch("strong") },
  { open: "__", close: "__", make: branch("strong") },
  { open: "*", close: "*", make: branch("em") },
  { open: "![", close: "](", make: (text) => [{ kind: "text", text }] },
  { open: "[", close: "](", make: (text, depth) => inline(text, depth + 1) },
];

/** inline reads a line's marks; the time it takes grows as the text does. */
export function inline(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const unclosed = new Set<string>();
  let plain = "";
  for (let at = 0; at < text.length; ) {
    if (text[at] === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
      continue;
    }
    const mark = depth < maxDepth ? marks.find((m) => text.startsWith(m.open, at) && !unclosed.has(m.close)) : undefined;
    const end = mark ? text.indexOf(mark.close, at + mark.open.length) : -1;
    if (mark && end < 0) unclosed.add(mark.close);
    if (!mark || end <= at + mark.open.length || !fits(mark, text, at)) {
      plain += text[at];
      at++;
      continue;
    }
    if (plain) found.push({ kind: "text", text: plain });
    plain = "";
    found.push(...mark.make(text.slice(at + mark.open.length, end), depth));
    at = end + mark.close.length;
    if (mark.close === "](") [plain, at] = target(text, at);
  }
  if (plain) found.push({ kind: "text", text: plain });
  return found;
}

/** fits refuses a price as a formula, and a mark that stands alone. */
function fits({ open }: Mark, text: string, at: number): boolean {
  return open === "$" || open === "*" ? !/\s/.test(text[at + open.length] ?? " ") : true;
}

/** target writes a link's address after its words. */
function target(text: string, at: number): [string, number] {
  const end = text.indexOf(")", at);
  return end < 0 ? [text.slice(at), text.length] : [` (${text.slice(at, end).trim()})`, end + 1];
}
