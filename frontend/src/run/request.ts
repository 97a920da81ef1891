import { computed } from "@preact/signals";
import { args, form, grid, kernel } from "../document/call";
import { siblings } from "../document/siblings";
import { puzzle, route } from "../document/workspace";
import type { Call } from "../engine/engine";
import type { CheckRequest } from "../gen/api";
import { lang, settings } from "../settings/settings";

/** calling is what the current document is run with, besides its text: options, and the free page's form. */
export const calling = computed(() => {
  const { strict } = settings.value;
  return JSON.stringify(route.value.page === "free" ? [strict, kernel.value?.name, args.value, grid.value, form.value.seed] : strict);
});

/** checkOf is what a text is checked, or compiled, for. */
export function checkOf(source: string): CheckRequest {
  const r = route.value;
  const { strict } = settings.value;
  if (r.page === "puzzle") return { source, strict, puzzle: r.puzzle };
  const custom = puzzle.value?.own?.custom;
  if (r.page === "own") return custom ? { source, strict, custom } : { source, strict };
  if (r.page === "document") return { source, strict, document: true, files: siblings.value.map((s) => s.name) };
  const name = kernel.value?.name;
  return name === undefined ? { source, strict } : { source, strict, kernel: name, args: args.value, grid: grid.value };
}

/** runOf is the call that runs a text as the current document; undefined while its puzzle is not loaded. */
export function runOf(source: string): Call | undefined {
  const r = route.peek();
  const { strict } = settings.peek();
  if (r.page === "own") {
    const custom = puzzle.peek()?.own?.custom;
    return custom && { lang: lang.peek(), puzzle: { puzzle: 0, custom, source, strict } };
  }
  if (r.page === "puzzle") return { lang: lang.peek(), puzzle: { puzzle: r.puzzle, source, strict } };
  if (r.page === "document") return { lang: lang.peek(), document: { text: source, cells: [], session: "", strict } };
  return {
    lang: lang.peek(),
    free: {
      source, strict, kernel: kernel.peek()?.name ?? "", args: args.peek(), grid: grid.peek(), seed: form.peek().seed,
    },
  };
}
