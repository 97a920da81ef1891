export type Lang = "en" | "zh";

/** browserLang is the first language of the browser's that the page speaks. */
export function browserLang(): Lang {
  return navigator.languages.find((l) => /^(en|zh)\b/.test(l))?.startsWith("zh") ? "zh" : "en";
}
