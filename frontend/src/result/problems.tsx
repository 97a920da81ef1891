import { editor, pane } from "../state/view";
import type { Diagnostic } from "../gen/api";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { problems, sameProblem } from "../run/checks";
import { pick } from "../run/choice";
import { result } from "../run/runs";
import { lossCodes } from "../runner/loss";

/** Problems lists the diagnostics of the current text but those that are shown elsewhere; each leads to its place. */
export function Problems({ but = [] }: { but?: readonly Diagnostic[] }) {
  const words = t.value;
  const lost = result.value?.loss !== undefined;
  const list = problems.value.filter((d) => !(lost && lossCodes.includes(d.code)) && !but.some((other) => sameProblem(d, other)));
  if (!list.length) return null;
  return (
    <section class="problems" aria-label={words.problems}>
      <h3>{words.problems}</h3>
      <ol>{list.map((d) => <Problem key={`${d.code} ${d.from} ${d.to}`} diagnostic={d} />)}</ol>
    </section>
  );
}

function Problem({ diagnostic: d }: { diagnostic: Diagnostic }) {
  const words = t.value;
  const reveal = () => {
    pane.value = "editor";
    if (d.test) pick({ test: d.test - 1, program: undefined, step: "last" });
    editor.peek()?.reveal(d);
  };
  // A fix says what to do more plainly than the advice that fits every mistake of the kind.
  const advice = (d.severity === "error" && d.fixes.length && d.label) || d.help;
  return (
    <li class={`problem problem-${d.severity}`}>
      <button type="button" onClick={reveal}>
        <span class="problem-kind">{words.severity[d.severity as keyof typeof words.severity] ?? words.severity.error}</span>
        <span class="problem-line">{words.line(d.line)}{d.test && ` · ${words.inTest(d.test)}`}</span>
        <span class="problem-text"><Phrase text={sentence(d.headline)} /></span>
        {advice && <span class="problem-help"><Phrase text={sentence(advice)} /></span>}
      </button>
      {d.fixes.length > 0 && (
        <p class="problem-fixes">
          {d.fixes.map((fix) => <button type="button" class="link" key={fix.title} onClick={() => editor.peek()?.apply(fix)}><Phrase text={sentence(fix.title)} /></button>)}
        </p>
      )}
    </li>
  );
}
