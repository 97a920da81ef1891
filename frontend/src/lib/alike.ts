/** A token of a kernel: a name with its dots, an operator, or what says nothing: a string or a comment. */
const token = /#.*|"[^"\n]*"|'[^'\n]*'|[A-Za-z_][\w.]*|\/\/|>>|<<|[-+*/%&|<>]/g;

/** meaning are the tokens that mean the same in every kernel; other names are somebody's own choice. */
const meaning = /^(tl\..*|for|while|if|in|range|[^\w"'#]+)$/;

/** counted gives how often a kernel has each token that means something, in all and at each depth of indentation. */
function counted(source: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of source.split("\n")) {
    const depth = Math.floor(line.search(/\S|$/) / 4);
    for (const [text] of line.matchAll(token)) {
      if (meaning.test(text)) for (const key of [text, `${depth} ${text}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * mostAlike is the index of that among some kernels which has the most in common with one, the first if several have.
 * Only tokens count by which those kernels differ from each other: what they share says nothing.
 */
export function mostAlike(source: string, among: readonly string[]): number {
  const [own, ...others] = [source, ...among].map(counted) as [Map<string, number>, ...Map<string, number>[]];
  const keys = [...new Set(others.flatMap((counts) => [...counts.keys()]))];
  const telling = keys.filter((key) => others.some((counts) => counts.get(key) !== others[0]?.get(key)));
  const distances = others.map((counts) => telling.reduce((sum, key) => sum + Math.abs((counts.get(key) ?? 0) - (own.get(key) ?? 0)), 0));
  return distances.indexOf(Math.min(...distances));
}
