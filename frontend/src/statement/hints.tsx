import { useState } from "preact/hooks";
import type { Puzzle } from "../content/content";
import { t } from "../i18n/table";
import { writeText } from "../lib/storage";
import { local } from "../settings/settings";
import { PuzzleText } from "./prose";

/** Hints come one by one, from vague to plain; how many were shown is remembered. */
export function Hints({ puzzle }: { puzzle: Puzzle }) {
  const key = `newt:hints:${puzzle.own?.id ?? puzzle.number}`;
  const [shown, setShown] = useState(() => Math.min(Number(local.getItem(key)) || 0, puzzle.hints.length));
  const words = t.value;
  const more = shown < puzzle.hints.length;

  const show = () => {
    setShown(shown + 1);
    writeText(local, key, String(shown + 1));
  };

  if (!puzzle.hints.length) return null;
  return (
    <section class="hints" aria-label={words.hints}>
      <div aria-live="polite">
        {puzzle.hints.slice(0, shown).map((hint, i) => (
          <div class="hint" key={i}><span class="hint-number" aria-hidden="true">{i + 1}</span><PuzzleText puzzle={puzzle} text={hint} /></div>
        ))}
      </div>
      {more && <button type="button" class="quiet" onClick={show}>{words.showHint(shown + 1, puzzle.hints.length)}</button>}
    </section>
  );
}
