/** Searchable is an entry that is found by the words of its texts, such as its title in two languages. */
interface Searchable {
  id: string;
  texts: readonly string[];
}

const isLetter = /[\p{L}\p{N}]/u;

/** beginsWord tells whether a word of a text begins at a place. */
function beginsWord(text: string, at: number): boolean {
  return at === 0 || !isLetter.test(text[at - 1] ?? "");
}

/** abbreviates tells whether a word is made of beginnings of a text's words, in their order: "nepr" of "next problem". */
function abbreviates(word: string, text: string): boolean {
  const from = (at: number, done: number): boolean => {
    if (done === word.length) return true;
    for (let i = at; i < text.length; i++) {
      const goesOn = done > 0 && i === at;
      if (text[i] === word[done] && (goesOn || beginsWord(text, i)) && from(i + 1, done + 1)) return true;
    }
    return false;
  };
  return from(0, 0);
}

/** fit is how well a word fits a text, both in small letters: 0 is not at all. */
function fit(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return 4;
  if (at > 0) return beginsWord(text, at) ? 3 : 2;
  return abbreviates(word, text) ? 1 : 0;
}

/**
 * search gives the entries that have every word in one of their texts, the best fits first, among equals those used lately, given
 * by their ids. No words find everything.
 */
export function search<E extends Searchable>(entries: readonly E[], words: string, lately: readonly string[]): E[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = entries.flatMap((entry, order) => {
    const texts = entry.texts.map((text) => text.toLowerCase());
    const fits = wanted.map((word) => Math.max(0, ...texts.map((text) => fit(word, text))));
    if (fits.includes(0)) return [];
    const used = lately.indexOf(entry.id);
    return [{ entry, order, fits: fits.reduce((sum, one) => sum + one, 0), used: used < 0 ? lately.length : used }];
  });
  return ranked.sort((a, b) => b.fits - a.fits || a.used - b.used || a.order - b.order).map(({ entry }) => entry);
}

const mostLately = 5;

/** usedNow puts an id in front of those that were used lately. */
export function usedNow(id: string, lately: readonly string[]): string[] {
  return [id, ...lately.filter((other) => other !== id)].slice(0, mostLately);
}
