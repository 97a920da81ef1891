import { useEffect, useState } from "preact/hooks";
import { mistakeOf } from "../content/mistakes";
import { helper } from "../engine/engines";
import { q } from "../i18n/questions";
import { sentences } from "../lib/format";
import { lang, type Lang } from "../settings/settings";
import { Phrase } from "../ui/phrase-view";
import { checkOf, reasonsOf, type Refusal } from "./refused";
import type { AnswerProps } from "./table";

/** RefusedAnswer shows a program that newt refuses, and reasons to choose from: what newt says of it and of others. */
export function RefusedAnswer({ codes, open, said, say }: AnswerProps & { codes: readonly string[] }) {
  const words = q.value.refused;
  const [refusals, setRefusals] = useState<readonly Refusal[] | "failed" | undefined>(undefined);
  useEffect(() => {
    if (open) void Promise.all(codes.map((code) => refusalOf(code, lang.value))).then(setRefusals, () => setRefusals("failed"));
  }, [open, lang.value]);
  if (!open) return null;
  if (refusals === "failed") return <p>{words.failed}</p>;
  const [asked] = refusals ?? [];
  if (!asked || !refusals) return <p>{words.loading}</p>;
  const choose = (why: string) => {
    const { headline, help } = asked.said;
    const other = refusals.find(({ said: { why: reason } }) => reason === why)?.said.headline ?? "";
    if (why === asked.said.why) say({ kind: "right", text: words.right(sentences([headline, help], lang.peek())), code: asked.fixed.trimEnd() });
    else say({ kind: "wrong", text: words.other(other) });
  };
  return (
    <>
      <pre tabIndex={0} aria-label={words.program}>{asked.refused.trimEnd()}</pre>
      {said?.kind !== "right" && (
        <ul class="question-reasons" aria-label={words.reasons}>
          {reasonsOf(refusals).map((why) => <li key={why}><button type="button" onClick={() => choose(why)}><Phrase text={why} /></button></li>)}
        </ul>
      )}
    </>
  );
}

/** refusalOf has newt say what is wrong with the example of a code. */
async function refusalOf(code: string, lang: Lang): Promise<Refusal> {
  const mistake = await mistakeOf(code);
  const said = mistake && (await helper.call({ lang, check: checkOf(mistake) })).check?.diagnostics.find((d) => d.severity === "error");
  if (!said) throw new Error(code);
  return { ...mistake, code, said };
}
