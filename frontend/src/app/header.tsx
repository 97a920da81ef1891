import { puzzles } from "../content/content";
import { labelOf, neighboursOf, withoutWarmUps } from "../content/path";
import { t } from "../i18n/table";
import { choose, lang, settings, type Theme } from "../settings/settings";
import { marks } from "../run/marks";
import { courseAt, type Step, stepsOf } from "../document/steps";
import { puzzle, route } from "../document/workspace";
import { formatRoute } from "../state/route";
import { Icon } from "../ui/icons";
import { keysOf } from "../ui/shortcuts";
import { PuzzleMenu } from "./puzzle-menu";
import { shareOpen } from "../share/outgoing";
import { showView, view, type ViewID } from "../state/view";
import { helpOpen } from "./actions";
import { titleOf } from "./views";

/** Header: the name, the way through the puzzles, and what concerns the whole page. */
export function Header() {
  const words = t.value;
  const here = route.value;
  return (
    <header class="header">
      <a class="wordmark" href="#/free" aria-label={words.appName}>
        <Icon name="newt" />
        <span>newt</span>
      </a>
      <nav class="ways" aria-label={words.puzzlesNav}>
        <PuzzleMenu />
        {puzzle.value && <Neighbours number={puzzle.value.number} />}
        <Strip />
        <a class="way" href="#/free" aria-current={here.page === "free" ? "page" : undefined}>{words.freePage}</a>
        <a class="way" href="#/document" aria-current={here.page === "document" ? "page" : undefined}>{words.documentPage}</a>
      </nav>
      <div class="tools">
        <button type="button" class="tool share" id="share" aria-label={words.share} title={`${words.share} (${keysOf("share")})`} onClick={() => (shareOpen.value = true)}>
          <Icon name="share" /><span>{words.share}</span>
        </button>
        <button
          type="button" class="tool" id="reference" aria-pressed={view.value === "reference"} aria-label={titleOf("reference")} title={titleOf("reference")}
          onClick={toggleReference}
        >
          <Icon name="book" /><span>{titleOf("reference")}</span>
        </button>
        <button
          type="button"
          class="tool"
          id="language"
          aria-label={`${words.language}: ${lang.value === "en" ? "中文" : "English"}`}
          lang={lang.value === "en" ? "zh" : "en"}
          onClick={() => choose({ lang: lang.peek() === "en" ? "zh" : "en" })}
        >
          {lang.value === "en" ? "中文" : "English"}
        </button>
        <ThemeSwitch />
        <button type="button" class="tool" aria-label={words.help} title={words.help} onClick={() => (helpOpen.value = true)}>
          <Icon name="help" /><span>{words.help}</span>
        </button>
      </div>
    </header>
  );
}

/** Strip shows the twelve puzzles at a glance, for the pointer alone: Tab and screen readers have the same in the menu. */
function Strip() {
  const here = route.value;
  return (
    <span class="strip" aria-hidden="true">
      {withoutWarmUps(puzzles.value).map(({ number, title }) => {
        const mark = marks.value[String(number)] ?? "none";
        const label = `${number} ${title}: ${t.value.mark[mark]}`;
        const current = here.page === "puzzle" && here.puzzle === number;
        return (
          <a key={number} href={formatRoute({ page: "puzzle", puzzle: number })} tabIndex={-1} title={label} aria-current={current ? "page" : undefined}>
            <span class={`mark mark-${mark}`} />
          </a>
        );
      })}
    </span>
  );
}

function Neighbours({ number }: { number: number }) {
  const words = t.value;
  const { previous, next } = neighboursOf(stepsOf(courseAt(route.value)), number);
  const way = (to: Step | undefined, name: "left" | "right", says: string) => {
    const label = to && `${says}: ${labelOf(to.number)} ${to.title}`;
    return to && (
      <a class="tool" href={formatRoute(to.route)} aria-label={label} title={label}>
        <Icon name={name} />
      </a>
    );
  };
  return (previous ?? next) && (
    <span class="neighbours">
      {way(previous, "left", words.previousPuzzle)}
      {way(next, "right", words.nextPuzzle)}
    </span>
  );
}

let beforeReference: ViewID = "memory";

/** toggleReference shows the reference, and after it the view that was shown before. */
function toggleReference(): void {
  const now = view.peek();
  if (now !== "reference") beforeReference = now;
  const seen = document.querySelector("#pane-result")?.checkVisibility(); // a phone may show another pane
  showView(now === "reference" && seen ? beforeReference : "reference");
}

const nextTheme: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

function ThemeSwitch() {
  const { theme } = settings.value;
  const label = `${t.value.theme}: ${t.value.themes[theme]}`;
  return (
    <button type="button" class="tool" id="theme" aria-label={label} title={label} onClick={() => choose({ theme: nextTheme[theme] })}>
      <Icon name={theme} /><span>{t.value.theme}</span>
    </button>
  );
}
