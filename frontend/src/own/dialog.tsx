import { useState } from "preact/hooks";
import assets from "newt:assets";
import { Dialog } from "../app/dialog";
import { ownOpen } from "../app/view";
import { puzzles } from "../content/content";
import type { Custom, LoadReply } from "../gen/api";
import { t } from "../i18n/table";
import { lang } from "../state/settings";
import { go } from "../state/workspace";
import { droppedFrom, type Picked, pickedFrom, readFolder } from "./folder";
import { ProblemList } from "./problem-list";
import { adopt, forget, kept, idOf, load, titleOf } from "./puzzles";

/** OwnDialog loads a puzzle of one's own from a folder; it opens when its solution passes and its starter does not. */
export function OwnDialog() {
  return (
    <Dialog open={ownOpen.value} title={t.value.ownTitle} class="own-dialog" onClose={() => (ownOpen.value = false)}>
      <Own />
    </Dialog>
  );
}

type Outcome = { step: "start" | "checking" } | { step: "refused"; why: string } | { step: "checked"; custom: Custom; reply: LoadReply };

function Own() {
  const words = t.value;
  const [now, setNow] = useState<Outcome>({ step: "start" });

  const take = async (picked: Promise<Picked[]>) => {
    setNow({ step: "checking" });
    setNow(await check(picked));
  };

  return (
    <>
      <p>{words.ownLead}</p>
      <Templates />
      <Drop onPick={(picked) => void take(picked)} />
      {now.step === "checking" && <p role="status">{words.ownChecking}</p>}
      {now.step === "refused" && <p class="fault" role="alert">{now.why}</p>}
      {now.step === "checked" && <Checked custom={now.custom} reply={now.reply} />}
      {kept.value.length > 0 && <Kept />}
    </>
  );
}

/** Templates are newt's own puzzles, whose folders can be downloaded to start from. */
function Templates() {
  const words = t.value;
  return (
    <details class="own-templates">
      <summary>{words.ownTemplates}</summary>
      <ol>
        {puzzles.value.map((p) => (
          <li key={p.number} value={p.number}><a href={assets.folders[p.number] ?? ""} download>{words.ownTemplate(p.title)}</a></li>
        ))}
      </ol>
    </details>
  );
}

async function check(picked: Promise<Picked[]>): Promise<Outcome> {
  const words = t.peek();
  try {
    const custom = await readFolder(await picked);
    if ("refused" in custom) return { step: "refused", why: words.ownRefused[custom.refused](custom.file) };
    const reply = await load(custom, lang.peek());
    return "fault" in reply ? { step: "refused", why: words.faults[reply.fault.reason] } : { step: "checked", custom, reply };
  } catch {
    return { step: "refused", why: words.ownRefused.none() };
  }
}

/** Drop takes a folder, or its files, by choice or by dropping them. */
function Drop({ onPick }: { onPick: (picked: Promise<Picked[]>) => void }) {
  const words = t.value;
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
      <label class="quiet">{words.ownFiles}<input type="file" class="unseen" multiple accept=".json,.py,.md,.svg" onChange={(e) => chosen(e.currentTarget)} /></label>
    </div>
  );
}

function Checked({ custom, reply }: { custom: Custom; reply: LoadReply }) {
  const words = t.value;
  if (!reply.ok) return <><p class="bad">{words.ownUnsound}</p><ProblemList problems={reply.problems} /></>;
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
  const words = t.value;
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
              <button type="button" class="quiet" aria-label={`${words.ownForget}: ${title}`} onClick={() => forget(id)}>{words.ownForget}</button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
