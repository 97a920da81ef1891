/** Part is a piece of a phrase: plain words, or a name that stood in backquotes. */
export interface Part {
  text: string;
  code: boolean;
}

/** parts splits a catalogue phrase at its backquotes. */
export function parts(text: string): Part[] {
  const pieces = text.split(/`([^`]*)`/);
  return pieces.map((piece, i) => ({ text: piece, code: i % 2 === 1 })).filter((p) => p.text !== "");
}

/** phrase makes DOM nodes of a catalogue phrase. */
export function phrase(text: string): (Node | string)[] {
  return parts(text).map((part) => {
    if (!part.code) return part.text;
    const code = document.createElement("code");
    code.textContent = part.text;
    return code;
  });
}
