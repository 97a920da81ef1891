import { useEffect, useState } from "preact/hooks";
import { text } from "../document/workspace";
import type { FreeReply } from "../gen/api";
import { d } from "../i18n/document";
import { t } from "../i18n/table";
import { duration, launchText } from "../lib/format";
import { sessionName } from "../run/cells";
import { chosen, choose, launches, tensorsOf } from "../run/launches";
import { type Listed, maxListed } from "../run/listed";
import { busy } from "../run/runs";
import { editor, pane } from "../state/view";
import { Phrase } from "../ui/phrase-view";
import { FreeResult } from "./free-result";
import { modelPart } from "./model-part";

/** DocumentResult lists the launches of the document's session; one that is chosen shows its tensors. */
export default function DocumentResult() {
  const words = d.value;
  const list = launches.value;
  if (!list.length) return <div class="empty"><p>{words.launchesNone}</p></div>;
  return (
    <section class="launches" aria-label={words.launches}>
      <h3>{words.launches} <span class="count">{list.reduce((sum, l) => sum + 1 + l.more.count, 0)}</span></h3>
      {list.length > maxListed && <p class="fine">{words.launchesCut(maxListed)}</p>}
      <ol>{list.slice(-maxListed).map((l) => <Launch key={l.number} launch={l} />)}</ol>
    </section>
  );
}

function Launch({ launch }: { launch: Listed }) {
  const words = d.value;
  const now = chosen.value;
  const open = now?.number === launch.number;
  const { more } = launch;
  const model = modelPart(text.value ?? "", launch.kernel);
  return (
    <li class={launch.ok ? "launch" : "launch launch-failed"}>
      <button type="button" aria-expanded={open} aria-label={words.launchOf(launch.number, launch.kernel)} disabled={busy.value && !open} onClick={() => choose(open ? undefined : launch.number)}>
        <span class="launch-kernel"><b>{launch.kernel}</b>[{launchText(launch.grid)}]</span>
        <span class="launch-time">{launch.ok ? duration(launch.ms) : words.launchFailed}</span>
        <span class="launch-args">{launch.args.map((a) => `${a.name}: ${a.text}`).join(", ")}</span>
      </button>
      <button type="button" class="link" onClick={() => goTo(launch.line)}>{t.value.line(launch.line)}</button>
      {model && <p class="fine">{words.launchModel(model.nodes, model.operations)}</p>}
      {more.count > 0 && <p class="fine">{words.launchesMore(more.count, duration(more.ms / more.count))}</p>}
      {launch.message && <p class="bad"><Phrase text={launch.message} /></p>}
      {open && <Tensors key={`${sessionName()} ${launch.number}`} number={launch.number} />}
    </li>
  );
}

/** Tensors shows what a launch did to its tensors. */
function Tensors({ number }: { number: number }) {
  const [reply, setReply] = useState<FreeReply | undefined>();
  useEffect(() => void tensorsOf(sessionName(), number).then(setReply), []);
  if (!reply) return null;
  return reply.tensors.length ? <div class="launch-tensors"><FreeResult reply={reply}>{null}</FreeResult></div> : <p class="fine">{d.value.launchGone}</p>;
}

function goTo(line: number): void {
  pane.value = "editor";
  editor.peek()?.goToLine(line);
}
