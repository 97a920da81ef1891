import { computed, effect, signal } from "@preact/signals";
import { lang } from "../settings/settings";
import { en } from "./en";

/** Texts is an English table's shape with any words in it. */
export type Texts<T> = {
  [K in keyof T]: T[K] extends (...parameters: infer P) => string ? (...parameters: P) => string
    : T[K] extends string ? string : Texts<T[K]>;
};

/** Table holds every text of the page in one language. */
export type Table = Texts<typeof en>;

const chinese = signal<Table | undefined>(undefined);

/** t is the table of the current language; the English one until the Chinese one has arrived. */
export const t = computed<Table>(() => (lang.value === "zh" && chinese.value) || en);

/** watchWords fetches the Chinese texts once that language is chosen. It resolves when the page has the words to begin with. */
export function watchWords(): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      if (lang.value !== "zh" || chinese.peek()) return resolve();
      void import("./zh").then(({ zh }) => void (chinese.value = zh), () => undefined).then(resolve); // without it, English stays
    });
  });
}

/** partFailed says that a part of the page could not be fetched. */
export const partFailed = computed(() => t.value.partFailed);
