/** Findable is an entry that can be found by its path or by its text. */
interface Findable {
  path: string;
  doc: string;
}

/** find keeps the entries whose path holds the words, those that begin with them first, then those whose text does. */
export function find<E extends Findable>(entries: readonly E[], words: string): E[] {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return [...entries];
  const rank = ({ path, doc }: E) => {
    const name = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (path.toLowerCase().includes(wanted)) return 1;
    return doc.toLowerCase().includes(wanted) ? 2 : 3;
  };
  const ranked = entries.map((entry) => ({ entry, rank: rank(entry) })).filter((r) => r.rank < 3);
  return ranked.sort((a, b) => a.rank - b.rank).map((r) => r.entry);
}
