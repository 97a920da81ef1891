import { useEffect, useRef } from "preact/hooks";
import { puzzles } from "../content/content";
import { t } from "../i18n/table";
import { formatRoute } from "../state/route";
import { marks } from "../state/runs";
import { puzzle, route } from "../state/workspace";
import { Icon } from "./icons";

/** PuzzleMenu names the current puzzle and opens the list with everyone's marks. */
export function PuzzleMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  const words = t.value;
  const current = puzzle.value;

  useEffect(() => {
    const menu = details.current;
    if (!menu) return;
    const close = (event: Event) => {
      if (event.target instanceof Node && menu.contains(event.target)) return;
      menu.open = false;
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.querySelector("summary")?.focus();
    };
    addEventListener("pointerdown", close);
    menu.addEventListener("keydown", escape);
    return () => removeEventListener("pointerdown", close);
  }, []);

  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [route.value]);

  return (
    <details class="menu" ref={details}>
      <summary class="way" aria-current={current ? "page" : undefined}>
        {current ? <><b>{current.number}</b> <span>{current.title}</span></> : <span>{words.puzzlesNav}</span>}
        <Icon name="down" />
      </summary>
      <div class="menu-list">
        <Solved />
        <a class="menu-free" href="#/free" aria-current={route.value.page === "free" ? "page" : undefined}>{words.freePage}</a>
        <ol>{puzzles.value.map((p) => <Entry key={p.number} number={p.number} title={p.title} />)}</ol>
      </div>
    </details>
  );
}

function Solved() {
  const solved = puzzles.value.filter((p) => marks.value[p.number] === "solved").length;
  return <p class="menu-note">{t.value.solvedOf(solved, puzzles.value.length)}</p>;
}

function Entry({ number, title }: { number: number; title: string }) {
  const mark = marks.value[number];
  const here = route.value;
  const current = here.page === "puzzle" && here.puzzle === number;
  return (
    <li>
      <a href={formatRoute({ page: "puzzle", puzzle: number })} aria-current={current ? "page" : undefined}>
        <span class="number">{number}</span>
        <span>{title}</span>
        <span class={`mark mark-${mark ?? "none"}`} role="img" aria-label={t.value.mark[mark ?? "none"]} />
      </a>
    </li>
  );
}
