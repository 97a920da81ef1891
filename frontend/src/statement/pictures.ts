import { signal } from "@preact/signals";
import type { Picture } from "../gen/api";

/** pictures are those within the document's prose, as data: addresses by the names that the text has for them. */
export const pictures = signal<ReadonlyMap<string, string>>(new Map());

/** setPictures takes those of a file that was opened. */
export function setPictures(list: readonly Picture[]): void {
  pictures.value = new Map(list.map(({ name, mime, data }) => [name, `data:${mime};base64,${data}`]));
}
