import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { fastWanted, loadContent } from "../content/content";
import { a } from "../i18n/actions";
import { t } from "../i18n/table";
import { search, usedNow } from "../lib/search";
import { readJSON, writeJSON } from "../lib/storage";
import { local } from "../settings/settings";
import { Modal } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { paletteOpen } from "./actions";
import { entries, type Entry } from "./entries";

const key = "newt:actions";

/** lately are the ids of the actions that were chosen last, the newest first. */
const lately = signal<readonly string[]>(readJSON(local, key, isIDs) ?? []);

function isIDs(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}

const titleID = "palette-title";

/** Palette lists all actions that apply now; what is chosen is done once the palette is closed and the focus is back where it was. */
export default function Palette() {
  const open = paletteOpen.value;
  const chosen = useRef<Entry | undefined>(undefined);
  useLayoutEffect(() => {
    if (open) return;
    chosen.current?.act();
    chosen.current = undefined;
  }, [open]);
  useEffect(() => {
    if (!open) return;
    fastWanted.value = true;
    for (const course of ["content", "fast"] as const) void loadContent("en", course).catch(() => undefined); // titles in English are an extra
  }, [open]);
  const close = () => (paletteOpen.value = false);
  const choose = (entry: Entry) => {
    chosen.current = entry;
    lately.value = usedNow(entry.id, lately.peek());
    writeJSON(local, key, lately.peek());
    close();
  };
  return (
    <Modal open={open} labelledBy={titleID} class="palette" onClose={close}>
      <Actions onChoose={choose} onClose={close} />
    </Modal>
  );
}

/** page is how many entries Page Up and Page Down go. */
const page = 8;

/** Actions is a field to search in, with a list of what was found; the focus stays in the field. */
function Actions({ onChoose, onClose }: { onChoose: (entry: Entry) => void; onClose: () => void }) {
  const words = a.value;
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = search(entries(), query, lately.value);
  const now = found[at];
  useLayoutEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [at, query]);
  const last = found.length - 1;
  const moves: Record<string, () => number> = {
    ArrowDown: () => (at < last ? at + 1 : 0), ArrowUp: () => (at > 0 ? at - 1 : last),
    PageDown: () => Math.min(at + page, last), PageUp: () => Math.max(at - page, 0),
  };
  const press = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (event.isComposing || (!move && event.key !== "Enter")) return;
    event.preventDefault();
    if (move) setAt(Math.max(0, move()));
    else if (now) onChoose(now);
  };
  const type = (event: { currentTarget: HTMLInputElement }) => {
    setQuery(event.currentTarget.value);
    setAt(0);
  };
  return (
    <>
      <h2 class="unseen" id={titleID}>{words.paletteTitle}</h2>
      <div class="palette-head">
        <input
          type="text" role="combobox" aria-expanded={found.length > 0} aria-controls="palette-list" aria-autocomplete="list" autofocus
          aria-activedescendant={now && `palette-${at}`} aria-label={words.paletteSearch} placeholder={words.paletteSearch}
          spellcheck={false} autocomplete="off" autocapitalize="off" value={query} onInput={type} onKeyDown={press}
        />
        <button type="button" class="tool" aria-label={t.value.close} onClick={onClose}><Icon name="close" /></button>
      </div>
      <p class={found.length ? "unseen" : "fine"} role="status">{found.length ? words.paletteCount(found.length) : words.paletteNone}</p>
      <ul
        role="listbox" id="palette-list" ref={list} aria-label={words.paletteTitle} hidden={!found.length}
        onMouseDown={(event) => event.preventDefault()}
      >
        {found.map((entry, i) => (
          <li key={entry.id} role="option" id={`palette-${i}`} data-action={entry.id} aria-selected={i === at} onClick={() => onChoose(entry)}>
            <span>{entry.texts[0]}</span>
            {entry.keys.map((keys) => <kbd key={keys} aria-hidden="true">{keys}</kbd>)}
          </li>
        ))}
      </ul>
    </>
  );
}
