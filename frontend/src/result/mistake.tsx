import { effect, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { openConcept } from "../basics/open";
import type { Diagnostic, Edit } from "../gen/api";
import { b } from "../i18n/basics";
import { s } from "../i18n/mistake";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { sameProblem } from "../run/checks";
import { mistake } from "../run/mistake";
import { result } from "../run/runs";
import { editor, pane } from "../state/view";
import { Phrase } from "../ui/phrase-view";
import { Changes } from "./changes";
import { enough, extend, mayRepeat, type Streak } from "./streak";

/** streak is that of the last answers. */
const streak = signal<Streak | undefined>(undefined);

effect(() => { // an answer that passes ends it, and has no mistake to show
  if (result.value?.verdict?.pass) streak.value = undefined;
});

/**
 * Mistake says in a sentence what is wrong with an answer that fails, where that is known; why, and the change, come on
 * request. It comes late, so what is below has left room for it.
 */
export default function Mistake() {
  const of = result.value;
  const { answer: found, done } = mistake.asked.value ?? {};
  useEffect(() => {
    if (of && found) streak.value = extend(streak.peek(), of.doc, found.code, of.source);
  }, [of, found]);
  // The list of problems has the fix of a diagnostic that is the mistake.
  const listed = found && of?.diagnostics.some((d) => sameProblem(d, found));
  const refused = of?.diagnostics.some((d) => d.severity === "error"); // which says what is wrong
  return (
    <div id="mistake" role="status" data-again={of && mayRepeat(streak.value, of.doc, of.source)}>
      {done === false && <p class="fine">{s.value.looking}</p>}
      {done && !found && !refused && <p class="fine">{s.value.unknown}</p>}
      {of && found && !listed && <Found key={`${found.code} ${found.from}`} found={found} source={of.source} />}
      {found && <Idea />}
    </div>
  );
}

/** Idea offers the card of a concept that several answers in a row have failed for. */
function Idea() {
  const of = streak.value;
  if (!of || of.answers.length < enough) return null;
  return (
    <p class="fine">
      {s.value.again(of.answers.length)} <button type="button" class="link" id="mistake-idea" onClick={() => openConcept(of.concept)}>{s.value.card(b.value.concepts[of.concept].title)}</button>
    </p>
  );
}

function Found({ found, source }: { found: Diagnostic; source: string }) {
  const [shown, setShown] = useState(false);
  const words = s.value;
  const fix = found.fixes[0];
  const reveal = () => {
    pane.value = "editor";
    editor.peek()?.reveal(found);
  };
  return (
    <>
      <p class={shown ? undefined : "mistake-short"}>
        <button type="button" class="link" id="mistake-line" onClick={reveal}>{sentence(t.value.line(found.line))}</button>
        {words.colon}<Phrase text={found.headline} />{words.stop}
      </p>
      {fix && <button type="button" class="link" id="mistake-show" aria-expanded={shown} onClick={() => setShown(!shown)}>{shown ? words.hide : words.show}</button>}
      {fix && shown && (
        <div id="mistake-change" role="group" aria-label={words.change}>
          <p><Phrase text={found.why} /> <Phrase text={found.help} /></p>
          <Changes before={source} after={edited(source, fix.edits)} context={0} />
          <button type="button" id="mistake-apply" onClick={() => editor.peek()?.apply(fix)}>{words.apply}</button>
        </div>
      )}
    </>
  );
}

/** edited is a text after some edits of it, of which no two overlap. */
function edited(text: string, edits: readonly Edit[]): string {
  const last = [...edits].sort((a, b) => b.from - a.from);
  return last.reduce((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text);
}
