import { signal } from "@preact/signals";
import assets from "newt:assets";
import type { Lang } from "../settings/settings";

/** Entry is one name of the language; frontend/build/reference.go writes it. */
export interface Entry {
  path: string; // as people write it: tl.load
  signature: string;
  doc: string;
  body: string; // the example's own lines
  example: string; // the same as a whole file; empty where there is none
}

/** reference holds what has been fetched, by language; it is fetched when it is first looked at. */
export const reference = signal<Partial<Record<Lang, Entry[]>>>({});

export const referenceFailed = signal(false);

/** fetchReference fetches one language's reference, unless it is there; call it again after a failure. */
export async function fetchReference(lang: Lang): Promise<void> {
  if (reference.peek()[lang]) return;
  try {
    const response = await fetch(assets.reference[lang]);
    if (!response.ok) throw new Error(response.statusText);
    const entries = (await response.json()) as Entry[];
    reference.value = { ...reference.peek(), [lang]: entries };
    referenceFailed.value = false;
  } catch {
    referenceFailed.value = true;
  }
}
