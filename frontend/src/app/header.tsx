import { puzzles } from "../content/content";
import { t } from "../i18n/table";
import { choose, lang, settings, type Theme } from "../state/settings";
import { route } from "../state/workspace";
import { formatRoute } from "../state/route";
import { Icon } from "./icons";
import { PuzzleMenu } from "./puzzle-menu";
import { helpOpen } from "./view";

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
        {here.page === "puzzle" && <Neighbours number={here.puzzle} />}
        <a class="way" href="#/free" aria-current={here.page === "free" ? "page" : undefined}>{words.freePage}</a>
      </nav>
      <div class="tools">
        <button
          type="button"
          class="tool"
          aria-label={`${words.language}: ${lang.value === "en" ? "中文" : "English"}`}
          lang={lang.value === "en" ? "zh" : "en"}
          onClick={() => choose({ lang: lang.peek() === "en" ? "zh" : "en" })}
        >
          {lang.value === "en" ? "中文" : "English"}
        </button>
        <ThemeSwitch />
        <button type="button" class="tool" aria-label={words.help} title={words.help} onClick={() => (helpOpen.value = true)}>
          <Icon name="help" />
        </button>
      </div>
    </header>
  );
}

function Neighbours({ number }: { number: number }) {
  const words = t.value;
  const way = (to: number, name: "left" | "right", label: string) =>
    puzzles.value.some((p) => p.number === to) && (
      <a class="tool" href={formatRoute({ page: "puzzle", puzzle: to })} aria-label={label} title={label}>
        <Icon name={name} />
      </a>
    );
  return (
    <span class="neighbours">
      {way(number - 1, "left", words.previousPuzzle)}
      {way(number + 1, "right", words.nextPuzzle)}
    </span>
  );
}

const nextTheme: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

function ThemeSwitch() {
  const { theme } = settings.value;
  const label = `${t.value.theme}: ${t.value.themes[theme]}`;
  return (
    <button type="button" class="tool" aria-label={label} title={label} onClick={() => choose({ theme: nextTheme[theme] })}>
      <Icon name={theme} />
    </button>
  );
}
