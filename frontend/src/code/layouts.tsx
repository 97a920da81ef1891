import { useMemo, useState } from "preact/hooks";
import type { Line, Tile } from "../gen/code";
import { d } from "../i18n/device";
import { t } from "../i18n/table";
import { shapeText } from "../lib/format";
import { type Part, placingOf } from "../lib/layout";
import { indexOf } from "../lib/tensor";
import { CodeLines } from "./lines";

/** How many colours of warps there are; they are taken in turn. */
const colours = 4;

/** Layouts lists the tiles of a kernel; of one of them it shows which thread keeps which element. */
export function Layouts({ tiles }: { tiles: Tile[] }) {
  const [chosen, setChosen] = useState(0);
  const lines = useMemo<Line[]>(() => tiles.map((tile) => ({ ...tile.line, text: [tile.line.line > 0 && d.value.codeLine(tile.line.line), nameOf(tile), tile.type].filter(Boolean).join("  ") })), [tiles]);
  const tile = tiles[chosen] ?? tiles[0];
  return (
    <div class="layouts">
      {tiles.length > 0 && <CodeLines lines={lines} label={t.value.codeLayouts} onShow={setChosen} />}
      {tile && <TileView tile={tile} />}
    </div>
  );
}

/** nameOf is a tile's variable, or the expression that makes it. */
function nameOf({ name, line }: Tile): string {
  return name || line.text;
}

function TileView({ tile }: { tile: Tile }) {
  const words = d.value;
  const placing = useMemo(() => placingOf(tile), [tile]);
  const { parts, columns, run, whole } = placing;
  const sentence = words.layoutSentence(placing);
  const warps = [...new Set(parts.map((p) => p.warp))].sort((a, b) => a - b);
  return (
    <section class="tile">
      <h3><code>{nameOf(tile)}</code> <span>{tile.type}</span></h3>
      <p>{sentence}</p>
      <div class="tile-grid" role="img" aria-label={words.layoutPicture(nameOf(tile))} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, maxWidth: `${columns * 34}px` }}>
        {parts.map((p) => <span key={p.from} class={`warp-${p.warp % colours}`} title={`${elements(tile, p, run)}: ${words.layoutThread(p.warp, p.lane)}`}>{p.lane}</span>)}
      </div>
      <p class="tile-key">
        {words.layoutNumbers} {warps.map((w) => <span key={w}><i class={`warp-${w % colours}`} />{words.layoutWarp(w)}</span>)}
      </p>
      {!whole && <p class="fine">{words.layoutCorner}</p>}
      <details class="inputs">
        <summary>{words.layoutTable}</summary>
        <div class="table-box" tabIndex={0} role="region" aria-label={words.layoutTable}>
          <table class="elements">
            <thead><tr><th scope="col">{words.layoutElements}</th><th scope="col">warp</th><th scope="col">{words.layoutLane}</th><th scope="col">{words.layoutRegister}</th></tr></thead>
            <tbody>
              {parts.map((p) => <tr key={p.from}><th scope="row">{elements(tile, p, run)}</th><td>{p.warp}</td><td>{p.lane}</td><td>{p.reg}</td></tr>)}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

/** elements names the elements of a part: [3, 8…11]. */
function elements({ shape }: Tile, { from }: Part, run: number): string {
  const index = indexOf(from, shape);
  if (run === 1) return shapeText(index);
  const last = index.at(-1) ?? 0;
  return `[${[...index.slice(0, -1), `${last}…${last + run - 1}`].join(", ")}]`;
}
