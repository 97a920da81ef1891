/**
 * hash is 64 bits of text in base 36: FNV-1a (offset basis and prime of its 32-bit form) over
 * UTF-16 units, from two bases. It distinguishes texts; it is not a cryptographic hash. Pages on plain HTTP
 * have no crypto.subtle.
 */
export function hash(text: string): string {
  return [0x811c9dc5, 0x050c5d1f].map((basis) => fnv(text, basis).toString(36)).join("");
}

function fnv(text: string, basis: number): number {
  let h = basis;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}
