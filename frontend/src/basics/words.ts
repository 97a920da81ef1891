/** patternOf finds any of some words in running text; a word that ends in a letter of an alphabet ends there in the text, too. */
export function patternOf(words: readonly string[]): RegExp {
  const whole = words.map((word) => word.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/^(?=\w)|(?<=\w)$/g, "\\b"));
  return new RegExp(whole.join("|"), "i");
}
