import { useState } from "preact/hooks";
import assets from "newt:assets";
import { Dialog } from "../ui/dialog";
import { ownOpen } from "./open";
import { puzzles } from "../content/content";
import { labelOf } from "../content/path";
import type { Custom, LoadReply } from "../gen/api";
import { o } from "../i18n/own";
import { t } from "../i18n/table";
import { lang } from "../settings/settings";
import { go } from "../document/workspace";
import { Author, download, editKept } from "./author";
import { author, draft } from "./draft";
import { droppedFrom, type Picked, pickedFrom, readFolder } from "./folder";
import { ProblemList } from "./problem-list";
import { adopt, forget, kept, idOf, load, titleOf } from "../content/own";

/** OwnDialog is where a puzzle of one's own is written, or loaded from a folder; it opens when its solution passes and its starter does not. */
export default function OwnDialog() {
  return (
    <Dialog open={ownOpen.value} title={o.value.ownTitle} close={t.value.close} class="own-dialog" onClose={() => (ownOpen.value = false)}>
      {draft.value ? <Author draft={draft.value} /> : <Own />}
    </Dialog>
  );
}

type Outcome = { step: "start" | "checking" } | { step: "refused"; why: string } | { step: "checked"; custom: Custom; reply: LoadReply };

function Own() {
  const words = o.value;
  const [now, setNow] = useState<Outcome>({ step: "start" });

  const take = async (picked: Promise<Picked[]>, toEdit = false) => {
    setNow({ step: "checking" });
    const outcome = await check(picked);
    if (toEdit && outcome.step === "checked") author({ custom: outcome.custom });
    else setNow(outcome);
  };

  return (
    <>
      <p>{words.ownLead} <a href="#/free" onClick={() => (ownOpen.value = false)}>{words.ownFree}</a></p>
      <Templates onPick={(picked) => void take(picked, true)} />
      <Drop onPick={(picked) => void take(picked)} />
      {now.step === "checking" && <p role="status">{t.value.ownChecking}</p>}
      {now.step === "refused" && <p class="fault" role="alert">{now.why}</p>}
      {now.step === "checked" && <Checked custom={now.custom} reply={now.reply} />}
      {kept.value.length > 0 && <Kept />}
    </>
  );
}

/** Templates are newt's own puzzles, to start a puzzle from a copy of: here, or from its zip. */
function Templates({ onPick }: { onPick: (picked: Promise<Picked[]>) => void }) {
  const words = o.value;
  const copy = async (address: string): Promise<Picked[]> => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.statusText);
    return [{ folder: "", file: new File([await response.blob()], "puzzle.zip") }];
  };
  return (
    <details class="own-templates">
      <summary>{words.ownTemplates}</summary>
      <ol>
        {puzzles.value.map((p) => {
          const address = assets.folders[p.number] ?? "";
          return (
            <li key={p.number} style={{ listStyleType: `"${labelOf(p.number)}. "` }}>
              <button type="button" class="link" aria-label={words.ownCopy(p.title)} onClick={() => onPick(copy(address))}>{p.title}</button>{" "}
              <a href={address} download aria-label={words.ownTemplate(p.title)}>{words.ownZip}</a>
            </li>
          );
        })}
      </ol>
    </details>
  );
}

async function check(picked: Promise<Picked[]>): Promise<Outcome> {
  const words = o.peek();
  try {
    const custom = await readFolder(await picked);
    if ("refused" in custom) return { step: "refused", why: words.ownRefused[custom.refused](custom.file) };
    const reply = await load(custom, lang.peek());
    return "fault" in reply ? { step: "refused", why: t.peek().faults[reply.fault.reason] } : { step: "checked", custom, reply };
  } catch {
    return { step: "refused", why: words.ownRefused.none() };
  }
}

/** Drop takes a folder, or its files, by choice or by dropping them. */
function Drop({ onPick }: { onPick: (picked: Promise<Picked[]>) => void }) {
  const words = o.value;
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (event.dataTransfer) onPick(droppedFrom(event.dataTransfer.items));
  };
  const chosen = (input: HTMLInputElement) => {
    if (input.files?.length) onPick(Promise.resolve(pickedFrom(input.files)));
    input.value = "";
  };
  return (
    <div class="drop" data-over={over} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={drop}>
      <p>{words.ownDrop}</p>
      <label class="quiet">{words.ownFolder}<input type="file" class="unseen" {...{ webkitdirectory: true }} onChange={(e) => chosen(e.currentTarget)} /></label>
      <label class="quiet">{words.ownFiles}<input type="file" class="unseen" multiple accept=".json,.py,.md,.svg,.zip" onChange={(e) => chosen(e.currentTarget)} /></label>
    </div>
  );
}

function Checked({ custom, reply }: { custom: Custom; reply: LoadReply }) {
  const words = o.value;
  if (!reply.ok) {
    return (
      <>
        <p class="bad">{t.value.ownUnsound}</p>
        <ProblemList problems={reply.problems} />
        <button type="button" class="quiet" onClick={() => author({ custom })}>{words.ownEdit}</button>
      </>
    );
  }
  const open = () => {
    ownOpen.value = false;
    go({ page: "own", id: adopt(custom, reply) });
  };
  return (
    <p class="own-sound">
      <span>{words.ownSound(reply.title)}</span>
      <button type="button" class="cta" id="own-open" onClick={open}>{words.ownTry}</button>
    </p>
  );
}

/** Kept lists the puzzles that this browser keeps. */
function Kept() {
  const words = o.value;
  return (
    <>
      <h3>{words.ownKept}</h3>
      <ul class="own-kept">
        {kept.value.map((custom) => {
          const id = idOf(custom);
          const title = titleOf(custom, lang.value);
          const open = () => {
            ownOpen.value = false;
            go({ page: "own", id });
          };
          return (
            <li key={id}>
              <button type="button" class="link" onClick={open}>{title}</button> <code>{custom.folder}</code>
              <span class="own-actions">
                <button type="button" class="quiet" aria-label={`${words.ownEdit}: ${title}`} onClick={() => editKept(custom)}>{words.ownEdit}</button>
                <button type="button" class="quiet" aria-label={words.ownTemplate(title)} onClick={() => download(custom)}>{words.ownZip}</button>
                <button type="button" class="quiet" aria-label={`${t.value.ownForget}: ${title}`} onClick={() => forget(id)}>{t.value.ownForget}</button>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
