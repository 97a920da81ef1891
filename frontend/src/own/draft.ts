import { ownOpen } from "./open";
import { interpreter } from "../engine/engines";
import { args, form, grid, kernel } from "../document/call";
import type { Custom } from "../gen/api";
import { t } from "../i18n/table";
import { isRecord } from "../lib/storage";
import { lang, local } from "../settings/settings";
import { save, text } from "../document/workspace";
import { isCustoms, kept } from "../content/own";
import { Shared } from "../settings/shared";

/** Draft is a puzzle that is being written. */
export interface Draft {
  custom: Custom;
  replaces?: string; // the id of the kept puzzle that it is a new version of
}

/** draft is the puzzle that is being written in this browser, if there is one. */
export const draft = new Shared<Draft | undefined>(local, "newt:draft", isDraft, undefined);

/** discard ends the writing of the draft. */
export function discard(): void {
  draft.change(() => undefined);
}

/** edit puts another text into one of the draft's files. */
export function edit(name: string, to: string): void {
  draft.change((now) => {
    const files = now?.custom.files.map((f) => (f.name === name ? { name, text: to } : f));
    return now && files && { ...now, custom: { ...now.custom, files } };
  });
}

/** author opens the dialog on a draft, or on the one that is being written already: nothing takes its place. */
export function author(now: Draft): void {
  draft.change((other) => other ?? now);
  ownOpen.value = true;
}

/** make makes a draft of the free page's kernel and call, and gives why not where it cannot. */
export async function make(): Promise<string | undefined> {
  const source = text.peek();
  if (source === undefined) return t.peek().nothingToShare;
  const other = draft.peek();
  if (other) {
    author(other);
    return t.peek().draftThere;
  }
  save();
  const of = { source, kernel: kernel.peek()?.name ?? "", args: args.peek(), grid: grid.peek(), seed: form.peek().seed };
  const numbers = kept.peek().map((c) => parseInt(c.folder, 10) || 0);
  try {
    const { make } = await interpreter.call({ lang: lang.peek(), make: { of, number: Math.max(0, ...numbers) + 1 } });
    if (!make?.custom) return make?.problem ?? t.peek().faults.refused;
    author({ custom: make.custom });
    return undefined;
  } catch {
    return t.peek().faults.refused;
  }
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && isCustoms([value["custom"]]);
}
