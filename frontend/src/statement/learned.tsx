import type { Puzzle } from "../content/content";
import { t } from "../i18n/table";
import { PuzzleText } from "./prose";

/** Learned is what somebody knows who has solved a puzzle. */
export function Learned({ puzzle }: { puzzle: Puzzle }) {
  if (!puzzle.learned) return null;
  return <aside class="learned"><h2>{t.value.learned}</h2><PuzzleText puzzle={puzzle} text={puzzle.learned} /></aside>;
}
