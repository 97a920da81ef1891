import { type Completion, type CompletionContext, type CompletionResult, autocompletion } from "@codemirror/autocomplete";
import { helper } from "../client/engines";
import { latest } from "../client/latest";
import { lang } from "../state/settings";

const ask = latest(({ source, offset }: { source: string; offset: number }) =>
  helper.call({ lang: lang.peek(), complete: { source, offset } }, { timeoutMs: 5_000 }),
);

/** complete asks the worker; it proposes nothing in the midst of plain typing before a name or a dot. */
async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\w.]$/)) return null;
  const reply = await ask({ source: context.state.doc.toString(), offset: context.pos });
  if (!reply?.complete || context.aborted) return null;
  const { from, items } = reply.complete;
  const options = items.map(
    (i): Completion => ({ label: i.label, type: i.kind, detail: i.detail, ...(i.doc ? { info: i.doc } : {}) }),
  );
  return { from, options, validFor: /^\w*$/ };
}

export const completion = autocompletion({ override: [complete], icons: false });
