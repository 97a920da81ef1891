import { editor, pane } from "../state/view";
import type { Diagnostic } from "../gen/api";
import { t } from "../i18n/table";
import { Phrase } from "../ui/phrase-view";
import { problems } from "../run/checks";

/** Problems lists the diagnostics of the current text; each leads to its place. */
export function Problems() {
  const words = t.value;
  const list = problems.value;
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
    editor.peek()?.reveal(d);
  };
  return (
    <li class={`problem problem-${d.severity}`}>
      <button type="button" onClick={reveal}>
        <span class="problem-kind">{words.severity[d.severity as keyof typeof words.severity] ?? words.severity.error}</span>
        <span class="problem-line">{words.line(d.line)}</span>
        <span class="problem-text"><Phrase text={d.headline} /></span>
        {d.help && <span class="problem-help"><Phrase text={d.help} /></span>}
      </button>
    </li>
  );
}
