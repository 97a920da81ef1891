import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { examples } from "../content/examples";
import { replaceText, text } from "../document/workspace";
import { t } from "../i18n/table";
import { current } from "../memory/stage";
import { cellFor, draw } from "../result/grid-draw";
import { shownTheme } from "../settings/settings";
import { useWidth } from "../ui/use-width";

/** divider is the number in the first example that the slider moves. */
const divider = / \/ (\d+)$/gm;

/** dividerOf is the divider of a text that is the first example but for that number; undefined for other texts. */
export function dividerOf(of: string): number | undefined {
  const [match] = of.matchAll(divider);
  const number = Number(match?.[1]);
  return of.replace(divider, " / 8") === examples[0].source ? number : undefined;
}

const widest = 32;

/** range is that of a cosine. */
const range = { low: -1, high: 1 };

/** Ripple is what the first example has written, and a slider for the number that its waves are as wide as: both lines change, and newt runs them anew. */
export function Ripple() {
  const now = dividerOf(text.value ?? "");
  const shown = current.value;
  const tensor = shown && dividerOf(shown.source) !== undefined ? shown.inspected.tensors[0] : undefined;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [box, width] = useWidth();
  const [rows = 1, columns = 1] = tensor?.shape ?? [];
  const cell = useMemo(() => cellFor(columns, rows, width), [rows, columns, width]);
  const theme = shownTheme.value;
  useLayoutEffect(() => {
    if (!canvas.current || !width || !tensor) return;
    draw(canvas.current, { rows, columns, values: tensor.after, range, wrong: new Set(), unwritten: new Set() }, range, cell);
  }, [tensor, cell, theme]);

  if (now === undefined) return null;
  const move = (to: number) => replaceText((text.peek() ?? "").replace(divider, ` / ${to}`));
  return (
    <div class="ripple">
      <div class="ripple-box" ref={box}><canvas ref={canvas} role="img" aria-label={t.value.rippleShows} /></div>
      <label class="ripple-slider">
        <code>/ {now}</code>
        <input type="range" id="ripple" aria-label={t.value.rippleNumber} min={2} max={widest} value={now} onInput={(e) => move(Number(e.currentTarget.value))} />
      </label>
      <p>{t.value.introTry}</p>
    </div>
  );
}
