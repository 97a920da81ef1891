import { useEffect, useState } from "preact/hooks";
import { fetchReference, reference, referenceFailed, type Entry } from "../content/reference";
import { t } from "../i18n/table";
import { find } from "../lib/find";
import { Phrase } from "../ui/phrase-view";
import { lang } from "../settings/settings";
import { type Outcome, runExample } from "./example-run";

/** Reference lists every name of the language; its examples run. */
export default function Reference() {
  const [words, setWords] = useState("");
  const current = lang.value;
  const entries = reference.value[current] ?? [];
  const found = find(entries, words);

  useEffect(() => void fetchReference(current), [current]);

  return (
    <div class="reference" id="view-reference" role="tabpanel" aria-labelledby="tab-reference">
      <div class="reference-head">
        <input
          type="search" value={words} placeholder={t.value.referenceSearch} aria-label={t.value.referenceSearch} spellcheck={false}
          onInput={(e) => setWords(e.currentTarget.value)}
        />
        <p class="fine" role="status"><Count found={found.length} loaded={entries.length > 0} /></p>
      </div>
      <ul class="scroll">{found.map((e) => <Item key={e.path} entry={e} />)}</ul>
    </div>
  );
}

function Count({ found, loaded }: { found: number; loaded: boolean }) {
  const words = t.value;
  if (loaded) return <>{found ? words.referenceCount(found) : words.referenceNone}</>;
  if (!referenceFailed.value) return <>{words.loading}</>;
  return <>{words.referenceFailed} <button type="button" class="link" onClick={() => void fetchReference(lang.peek())}>{words.retry}</button></>;
}

function Item({ entry }: { entry: Entry }) {
  return (
    <li class="entry">
      <details>
        <summary><code>{entry.path}</code><span><Phrase text={entry.doc} /></span></summary>
        <pre class="signature">{entry.signature}</pre>
        <p><Phrase text={entry.doc} /></p>
        {entry.example && <Example entry={entry} />}
      </details>
    </li>
  );
}

function Example({ entry }: { entry: Entry }) {
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const words = t.value;
  const run = async () => {
    setBusy(true);
    setOutcome(await runExample(entry.example));
    setBusy(false);
  };
  return (
    <div class="example">
      <pre tabIndex={0} aria-label={words.example}>{entry.body}</pre>
      <button type="button" class="quiet" disabled={busy} onClick={() => void run()}>{words.runExample}</button>
      <div aria-live="polite">{outcome && <Printed outcome={outcome} />}</div>
    </div>
  );
}

function Printed({ outcome }: { outcome: Outcome }) {
  if (outcome.message) return <p class="bad"><Phrase text={outcome.message} /></p>;
  if (!outcome.prints.length) return <p class="fine">{t.value.ranSilently}</p>;
  return <pre class="printed">{outcome.prints.map((p) => p.text).join("\n")}</pre>;
}
