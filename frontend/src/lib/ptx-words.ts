/** Word is a piece of a line of PTX or SASS; plain pieces have no kind. */
export interface Word {
  text: string;
  kind?: "comment" | "directive" | "opcode" | "label" | "number";
}

// A comment or a string, a label, a directive at the line's beginning, an instruction after its predicate, a number.
const pattern = /(\/\/.*$)|^(\s*[$\w]+:)|^(\s*\.\w+)|^(\s*(?:@!?%\w+\s+)?[a-z]\w*(?:[.:]+\w+)*)|(?<![%\w.$])(0[fdx][0-9a-fA-F]+|-?\d+)\b/g;
// A label, an instruction after its address and its predicate, a number.
const sassPattern = /^([.$\w]+:)|(?<=^\s*\/\*[0-9a-f]+\*\/\s+)((?:@!?U?P\w\s+)?[A-Z][\w.]*)|(?<![\w.*])(-?(?:0x[0-9a-f]+|\d+(?:\.\d+)?))\b/g;
const sassKinds = ["label", "opcode", "number"] as const;
const kinds = ["comment", "label", "directive", "opcode", "number"] as const;

/** ptxWords splits a line of PTX for colouring; its pieces put together are the line. */
export function ptxWords(line: string): Word[] {
  return wordsOf(line, pattern, kinds);
}

/** sassWords does the same for a line of SASS. */
export function sassWords(line: string): Word[] {
  return wordsOf(line, sassPattern, sassKinds);
}

function wordsOf(line: string, pattern: RegExp, kinds: readonly NonNullable<Word["kind"]>[]): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) words.push({ text: line.slice(end, match.index) });
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)];
    words.push(kind ? { text: match[0], kind } : { text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) words.push({ text: line.slice(end) });
  return words;
}
