import type { Puzzle, Solution } from "../content/content";
import { useWays } from "../content/ways";
import { t } from "../i18n/table";
import { replaceAll } from "../document/workspace";
import { pane } from "../state/view";
import { PuzzleText } from "./prose";

/** Answers are all solutions of a puzzle, with what may make one prefer each. */
export default function Answers({ puzzle }: { puzzle: Puzzle }) {
  return <>{useWays(puzzle).map((s) => <Answer key={s.title} puzzle={puzzle} solution={s} />)}</>;
}

function Answer({ puzzle, solution }: { puzzle: Puzzle; solution: Solution }) {
  const put = () => {
    replaceAll(solution.source);
    pane.value = "editor";
  };
  return (
    <div class="answer">
      <div class="answer-head">
        <h2>{solution.title}</h2>
        <button type="button" class="quiet" onClick={put}>{t.value.putIntoEditor}</button>
      </div>
      {solution.why && <PuzzleText puzzle={puzzle} text={solution.why} />}
      <pre tabIndex={0} aria-label={solution.title}><code>{solution.source}</code></pre>
    </div>
  );
}
