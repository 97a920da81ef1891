import { puzzlesIn } from "../content/content";
import { examples } from "../content/examples";
import { labelOf } from "../content/path";
import { ownPuzzles, titleOf as titleOfOwn } from "../content/own";
import { doc, go, route } from "../document/workspace";
import { openExample } from "../free/open-example";
import { actionTexts } from "../i18n/actions";
import { en as english } from "../i18n/en";
import { t } from "../i18n/table";
import { spell } from "../lib/shortcut";
import { type Lang, lang } from "../settings/settings";
import { docOf, type Route } from "../state/route";
import { showView } from "../state/view";
import { onMac, shortcutsOf } from "../ui/shortcuts";
import { type Action, type ActionID, actions } from "./actions";
import { views } from "./views";

/** Entry is an action as the palette lists it. */
export interface Entry {
  id: string;
  texts: readonly [string, ...string[]]; // its title in the page's language, in English, and its keys
  keys: readonly string[];
  act: () => void;
}

/** entries are the actions that apply to the page as it is. */
export function entries(): Entry[] {
  return [...ofPage(), ...ofViews(), ...ofPuzzles(), ...ofExamples()];
}

/** titled gives the texts of an entry by its title in a language. */
function titled(title: (words: (typeof actionTexts)[Lang], language: Lang) => string): [string, ...string[]] {
  return [title(actionTexts[lang.value], lang.value), title(actionTexts.en, "en")];
}

function ofPage(): Entry[] {
  const all = Object.entries<Action>(actions) as [ActionID, Action][];
  return all.filter(([id, { when }]) => id !== "palette" && (when?.() ?? true)).map(([id, { act }]) => {
    const keys = shortcutsOf(id).map((shortcut) => spell(shortcut, onMac));
    return { id, texts: [...titled(({ titles }) => titles[id]), ...keys], keys, act };
  });
}

function ofViews(): Entry[] {
  return views.map(({ id, title }) => ({
    id: `view ${id}`, texts: titled((words, language) => words.showView(title[language])), keys: [], act: () => showView(id),
  }));
}

/** ofPuzzles are the ways to the puzzles that are not shown. */
function ofPuzzles(): Entry[] {
  const way = (to: Route, texts: [string, ...string[]]): Entry => ({ id: docOf(to), texts, keys: [], act: () => go(to) });
  const inEnglish = puzzlesIn("en");
  const newts = puzzlesIn(lang.value).map(({ number, title }) => {
    const other = inEnglish.find((p) => p.number === number)?.title ?? title;
    return way({ page: "puzzle", puzzle: number }, titled((words, language) => words.puzzle(labelOf(number), language === lang.value ? title : other)));
  });
  const own = [...ownPuzzles.value].map(([id, custom]) => {
    const number = parseInt(custom.folder, 10);
    return way({ page: "own", id }, titled((words, language) => words.puzzle(labelOf(number), titleOfOwn(custom, language))));
  });
  return [...newts, ...own].filter(({ id }) => id !== doc.value);
}

function ofExamples(): Entry[] {
  if (route.value.page !== "free") return [];
  const names = { zh: t.value, en: english };
  return examples.map((example) => ({
    id: `example ${example.id}`, texts: titled((words, language) => words.example(names[language].exampleNames[example.id])),
    keys: [], act: () => openExample(example),
  }));
}
