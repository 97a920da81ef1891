/** How many bytes become letters at a time: a call takes no more arguments. */
const pieceBytes = 1 << 15;

/** toBase64 writes bytes as text. */
export function toBase64(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) letters += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return btoa(letters);
}

/** fromBase64 reads what toBase64 writes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
