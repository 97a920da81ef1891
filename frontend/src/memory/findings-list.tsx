import { useRef } from "preact/hooks";
import type { Finding, FindingsReply } from "../gen/api";
import { f } from "../i18n/findings";
import { m } from "../i18n/memory";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { editor, pane } from "../state/view";
import { Phrase } from "../ui/phrase-view";
import { checkAll, checked, chosen, fresh, lookAt } from "./findings";
import { Proved, Refuted } from "./proofs";
import { problem } from "./stage";

/** FindingsList lists what the sanitizers find in the launch that is shown; that of an earlier text stays, dimmed, until they have. */
export default function FindingsList() {
  const words = f.value;
  const { reply } = checked.value ?? {};
  const total = reply?.total ?? 0;
  const busy = !fresh.value && !problem.value;
  const said = busy ? words.checking : !reply ? words.failed : reply.message || words.count(total);
  return (
    <section class="findings" aria-label={words.title} aria-busy={busy}>
      <p class="findings-count" role="status" title={reply && !total && !reply.message && !reply.limits.length ? words.clean : undefined}><b>{sentence(said)}</b></p>
      {reply && !reply.message && <Found reply={reply} />}
    </section>
  );
}

function Found({ reply: { findings, total, limits, more, proof } }: { reply: FindingsReply }) {
  const words = f.value;
  const list = useRef<HTMLOListElement>(null);
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(".finding-go") ?? [])];
    const at = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    rows[at + by]?.focus();
  };
  return (
    <>
      <ol ref={list} aria-label={`${words.title}. ${words.keys}`} onKeyDown={keys}>
        {findings.map((finding, i) => <Row key={i} finding={finding} />)}
      </ol>
      {total > findings.length && <p class="fine">{words.left(total - findings.length)}</p>}
      {limits.length > 0 && <p class="fine">{words.partly} {limits.map((limit, i) => <span key={i}><Phrase text={limit} />. </span>)}</p>}
      {proof && fresh.value && <Refuted proof={proof} findings={findings} />}
      {proof && <Proved proof={proof} />}
      {more && <button type="button" class="link" id="check-all" disabled={!fresh.value} onClick={checkAll}>{words.all}</button>}
    </>
  );
}

function Row({ finding }: { finding: Finding }) {
  const words = f.value;
  const { diagnostic: d, where, value } = finding;
  const here = chosen.value === finding;
  const kind = t.value.severity[d.severity as keyof typeof t.value.severity] ?? t.value.severity.error;
  return (
    <li class={`finding finding-${d.severity}`}>
      <button type="button" class="finding-go" aria-current={here || undefined} disabled={!fresh.value} onClick={() => lookAt(finding)}>
        <span class="finding-kind">{kind}</span> <span class="memory-type">{m.value.line(d.line)}</span>{" "}
        <Phrase text={sentence(d.headline)} />
        <span class="finding-where">{sentence(where)}{value && <> · {words.firstValue} <code>{value}</code></>}</span>
      </button>
      {here && <Detail finding={finding} />}
    </li>
  );
}

/** Detail is why a finding is one, and what to do; the fixes are on its card in the editor. */
function Detail({ finding: { diagnostic: d } }: { finding: Finding }) {
  const reveal = () => {
    pane.value = "editor";
    editor.peek()?.reveal(d);
  };
  return (
    <div class="finding-detail">
      {d.related.map((place, i) => <p key={i}>{sentence(m.value.line(place.line))}: <Phrase text={place.text} /></p>)}
      {d.why && <p class="why"><Phrase text={d.why} /></p>}
      {d.help && <p><Phrase text={d.help} /></p>}
      <button type="button" class="link" onClick={reveal}>{d.fixes[0]?.title.replaceAll("`", "") ?? f.value.inCode}</button>
    </div>
  );
}
