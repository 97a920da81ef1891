/** newlines writes every end of a line as the editor does: CRLF and CR become LF. */
export function newlines(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
