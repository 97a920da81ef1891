import { useEffect, useState } from "preact/hooks";
import { text } from "../document/workspace";
import { helper } from "../engine/engines";
import type { Diagnostic, Fix, VersionReply, VersionsReply } from "../gen/api";
import { t } from "../i18n/table";
import { v } from "../i18n/versions";
import { equal } from "../lib/equal";
import { sentence } from "../lib/format";
import { checkOf } from "../run/request";
import { lang } from "../settings/settings";
import { editor, pane } from "../state/view";
import { Dialog } from "../ui/dialog";
import { Phrase } from "../ui/phrase-view";
import { versionsOpen } from "./open";

/** VersionsDialog says for each version of Triton whether it accepts the current text, why if not, and what to write instead. */
export default function VersionsDialog() {
  return (
    <Dialog open={versionsOpen.value} title={v.value.title} close={t.value.close} class="versions-dialog" onClose={() => (versionsOpen.value = false)}>
      <p>{v.value.lead}</p>
      <Versions />
    </Dialog>
  );
}

/** Versions asks again whenever the text changes, as by a fix. */
function Versions() {
  const words = v.value;
  const [reply, setReply] = useState<VersionsReply | "failed">();
  const source = text.value ?? "";
  const language = lang.value;
  useEffect(() => {
    let wanted = true;
    void helper.call({ lang: language, versions: checkOf(source) }).then(
      (answer) => wanted && setReply(answer.versions ?? "failed"),
      () => wanted && setReply("failed"),
    );
    return () => {
      wanted = false;
    };
  }, [source, language]);
  if (!reply) return <p role="status">{words.checking}</p>;
  if (reply === "failed") return <p class="fault" role="alert">{words.failed}</p>;
  return (
    <>
      <table class="versions">
        <thead><tr><th scope="col">{words.version}</th><th scope="col">{words.verdict}</th></tr></thead>
        <tbody>{reply.versions.map((of, i) => <Row key={of.triton} of={of} before={reply.versions[i - 1]} />)}</tbody>
      </table>
      {reply.rewrite && <p><Apply fix={reply.rewrite} /></p>}
      {reply.kept.length > 0 && <><h3>{words.kept}</h3><Reasons list={reply.kept} /></>}
    </>
  );
}

/** Row is a version; what it says in the same words as the one before is not repeated. */
function Row({ of, before }: { of: VersionReply; before: VersionReply | undefined }) {
  const words = v.value;
  const same = before && of.diagnostics.length > 0 && equal(of.diagnostics, before.diagnostics);
  const verdict = words.verdicts[of.verdict as keyof typeof words.verdicts];
  return (
    <tr class={`version-${of.verdict}`} aria-current={of.chosen || undefined}>
      <th scope="row">{of.triton}{of.chosen && <span class="version-chosen">{words.chosen}</span>}</th>
      <td>
        <b>{sentence(verdict)}</b>{" "}{!of.chosen && <Apply fix={of.choose} />}
        {same ? <span class="fine">{words.same(before.triton)}</span> : <Reasons list={of.diagnostics} />}
      </td>
    </tr>
  );
}

/** Reasons are diagnostics with Triton's own words, where it has some, and their fixes. */
function Reasons({ list }: { list: readonly Diagnostic[] }) {
  if (!list.length) return null;
  return (
    <ul>
      {list.map((d, i) => (
        <li key={i}>
          <button type="button" class="link" onClick={() => show(d)}>{v.value.line(d.line)}</button>: <Phrase text={d.headline} />
          {d.triton && <code class="version-says">{d.triton}</code>}
          {d.help && <span class="fine"><Phrase text={d.help} /></span>}
          {d.fixes.map((fix, k) => <Apply key={k} fix={fix} />)}
        </li>
      ))}
    </ul>
  );
}

function Apply({ fix }: { fix: Fix }) {
  return <button type="button" class="link" onClick={() => editor.peek()?.apply(fix)}>{fix.title.replaceAll("`", "")}</button>;
}

function show(d: Diagnostic): void {
  versionsOpen.value = false;
  pane.value = "editor";
  editor.peek()?.goToLine(d.line);
}
