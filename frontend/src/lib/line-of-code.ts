/** lineOfCode is the first line from a given one on that is neither blank nor a comment; the given one where none follows. */
export function lineOfCode(text: string, from: number): number {
  const ahead = text.split("\n").slice(from - 1).findIndex((line) => /^\s*[^\s#]/.test(line));
  return ahead < 0 ? from : from + ahead;
}
