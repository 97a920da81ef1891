import { Dialog } from "../ui/dialog";
import { puzzleOf } from "../content/content";
import { labelOf } from "../content/path";
import type { LinkState } from "../gen/api";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { ProblemList } from "../own/problem-list";
import { titleOf } from "../content/own";
import { lang } from "../settings/settings";
import { ClaimView } from "./claim";
import { accept, dismiss, incoming, routeOf, type Incoming } from "./incoming";

/** LinkDialog shows what an opened link holds; nothing of it runs or replaces anything until the reader says so. */
export default function LinkDialog() {
  const words = t.value;
  const now = incoming.value;
  const title = now?.step === "bad" || now?.step === "unsound" ? words.linkBadTitle : words.linkTitle;
  return (
    <Dialog open={now !== undefined} title={title} close={words.close} class="link-dialog" onClose={dismiss}>
      {now && <Content now={now} />}
    </Dialog>
  );
}

function Content({ now }: { now: Incoming }) {
  const words = t.value;
  if (now.step === "reading") return <p role="status">{words.linkReading}</p>;
  if (now.step === "bad") {
    return (
      <>
        <p class="fault" role="alert" id="bad-link"><Phrase text={sentence(now.message)} /></p>
        <p>{words.linkNothingChanged}</p>
        <p class="dialog-foot"><button type="button" class="cta" onClick={dismiss}>{words.goOn}</button></p>
      </>
    );
  }
  if (now.step === "unsound") {
    return (
      <>
        <p>{words.ownUnsound}</p>
        <ProblemList problems={now.problems} />
        <p>{words.linkNothingChanged}</p>
        <p class="dialog-foot"><button type="button" class="cta" onClick={dismiss}>{words.goOn}</button></p>
      </>
    );
  }
  return <Preview state={now.state} checking={now.step === "checking"} />;
}

function Preview({ state, checking }: { state: LinkState; checking: boolean }) {
  const words = t.value;
  return (
    <>
      <p class="link-what">{whatOf(state)}{state.strict && <> · {words.strict}</>}</p>
      <pre class="link-source" id="link-source" tabIndex={0} aria-label={words.linkSource}><code>{state.source}</code></pre>
      {state.free && <p class="fine"><code>{callOf(state.free)}</code></p>}
      {state.custom && (
        <details>
          <summary>{words.linkFiles(state.custom.files.length)}</summary>
          {state.custom.files.map((f) => <details key={f.name}><summary><code>{f.name}</code></summary><pre tabIndex={0}>{f.text}</pre></details>)}
        </details>
      )}
      {state.document && state.document.files.length > 0 && <p class="fine" id="link-files">{words.linkNextTo(state.document.files.map((f) => f.name).join(", "))}</p>}
      {state.results && <ClaimView results={state.results} />}
      <p class="fine">{state.custom ? words.linkFineOwn : words.linkFine}</p>
      <p class="dialog-foot">
        <button type="button" class="cta" id="link-open" disabled={checking} onClick={() => void accept()}>{checking ? words.ownChecking : words.linkOpen}</button>
        <button type="button" class="quiet" id="link-keep" onClick={dismiss}>{words.linkKeep}</button>
      </p>
    </>
  );
}

/** whatOf names the subject of a link as far as it is known without running it. */
function whatOf(state: LinkState): string {
  const words = t.value;
  if (state.custom) return words.linkWhat(words.ownPuzzleOverline(state.custom.folder), titleOf(state.custom, lang.value));
  const to = routeOf(state);
  if (to.page === "puzzle") {
    const title = puzzleOf(state.puzzle)?.title;
    return title ? words.linkWhat(words.puzzleN(labelOf(state.puzzle)), title) : words.puzzleN(labelOf(state.puzzle));
  }
  if (to.page === "document") return state.document?.name ?? words.documentPage;
  return state.puzzle > 0 ? words.linkPuzzleMissing(labelOf(state.puzzle)) : words.freePage;
}

/** callOf writes how the free page would call the kernel. */
function callOf({ kernel, grid, args }: NonNullable<LinkState["free"]>): string {
  const written = args.map((a) => `${a.name}=${a.kind === "tensor" ? `${a.dtype}[${a.shape}]` : a.value}`);
  return `${kernel}[${grid}](${written.join(", ")})`;
}
