import { useEffect, useState } from "preact/hooks";
import { ownOpen } from "./open";
import type { Custom } from "../gen/api";
import { o } from "../i18n/own";
import { t } from "../i18n/table";
import { lang } from "../settings/settings";
import { go } from "../document/workspace";
import { author, discard, type Draft, draft as kept, edit } from "./draft";
import { ProblemList } from "./problem-list";
import { adopt, forget, idOf, load, type Loaded } from "../content/own";
import { download as save } from "../lib/download";
import { zip } from "../lib/zip";

/** How long typing must rest until the puzzle is checked. */
const checkDelayMs = 600;

/** Author is where a puzzle is written: its files one by one, whether it is sound, and what can be done with it. */
export function Author({ draft }: { draft: Draft }) {
  const words = o.value;
  const { custom } = draft;
  const [name, setName] = useState(custom.files.find((f) => f.name === `statement.${lang.peek()}.md`)?.name ?? "puzzle.json");
  const file = custom.files.find((f) => f.name === name) ?? custom.files[0];
  return (
    <>
      <p>{words.authorLead}</p>
      <div class="author-files" role="group" aria-label={words.authorFiles}>
        {custom.files.map((f) => (
          <button type="button" class="chip" key={f.name} aria-pressed={f.name === file?.name} onClick={() => setName(f.name)}>{f.name}</button>
        ))}
      </div>
      {file && (
        <textarea
          class="author-text" id="author-text" aria-label={file.name} value={file.text} rows={14} spellcheck={file.name.endsWith(".md")} autocapitalize="off"
          onInput={(e) => edit(file.name, e.currentTarget.value)}
        />
      )}
      {kept.unsaved && <p class="fault" role="alert">{t.value.saveFailed}</p>}
      <Soundness draft={draft} />
    </>
  );
}

function Soundness({ draft }: { draft: Draft }) {
  const words = o.value;
  const { custom } = draft;
  const [checked, setChecked] = useState<{ custom: Custom; reply: Loaded }>();
  useEffect(() => {
    let current = true;
    const check = async () => {
      const reply = await load(custom, lang.peek());
      if (current) setChecked({ custom, reply });
    };
    const timer = window.setTimeout(() => void check(), checked ? checkDelayMs : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [custom, lang.value]);

  const reply = checked?.custom === custom ? checked.reply : undefined;
  const sound = reply && !("fault" in reply) && reply.ok ? reply : undefined;
  const open = () => {
    if (!sound) return;
    discard(); // first: the storage may have room for one of the two only
    const id = adopt(custom, sound);
    if (draft.replaces && draft.replaces !== id) forget(draft.replaces);
    ownOpen.value = false;
    go({ page: "own", id });
  };
  return (
    <>
      <div class="author-state" role="status">
        {!reply && <p>{t.value.ownChecking}</p>}
        {sound && <p class="author-sound">{words.ownSound(sound.title)}</p>}
        {reply && "fault" in reply && <p class="bad">{t.value.faults[reply.fault.reason]}</p>}
      </div>
      {reply && !("fault" in reply) && !reply.ok && <ProblemList problems={reply.problems} />}
      <p class="dialog-foot">
        <button type="button" class="cta" id="author-open" disabled={!sound} onClick={open}>{words.ownTry}</button>
        <button type="button" class="quiet" id="author-zip" onClick={() => download(custom)}>{words.authorZip}</button>
        <button type="button" class="quiet" id="author-discard" onClick={discard}>{draft.replaces ? words.authorUndo : words.authorDiscard}</button>
      </p>
    </>
  );
}

/** download saves a puzzle's folder as a zip. */
export function download({ folder, files }: Custom): void {
  const encoder = new TextEncoder();
  save(`${folder}.zip`, zip(files.map((f) => ({ name: `${folder}/${f.name}`, data: encoder.encode(f.text) }))));
}

/** editKept goes on writing a puzzle that this browser keeps. */
export function editKept(custom: Custom): void {
  author({ custom, replaces: idOf(custom) });
}
