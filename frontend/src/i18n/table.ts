import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { en } from "./en";
import { zh } from "./zh";

/** Texts is an English table's shape with any words in it. */
export type Texts<T> = {
  [K in keyof T]: T[K] extends (...parameters: infer P) => string ? (...parameters: P) => string
    : T[K] extends string ? string : Texts<T[K]>;
};

/** Table holds every text of the page in one language. */
export type Table = Texts<typeof en>;

/** t is the table of the current language. */
export const t = computed<Table>(() => (lang.value === "zh" ? zh : en));

/** partFailed says that a part of the page could not be fetched. */
export const partFailed = computed(() => t.value.partFailed);
