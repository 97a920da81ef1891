import { useState } from "preact/hooks";
import type { Puzzle, Solution } from "../content/content";
import { t } from "../i18n/table";
import { replaceAll } from "../document/workspace";
import { pane } from "../state/view";

/** SolutionPart shows the answers after one question. */
export function SolutionPart({ puzzle }: { puzzle: Puzzle }) {
  const [step, setStep] = useState<"closed" | "asking" | "open">("closed");
  const words = t.value;
  if (!puzzle.solutions.length) return null;
  if (step === "closed") {
    return <p class="solution"><button type="button" class="quiet" onClick={() => setStep("asking")}>{words.showSolution}</button></p>;
  }
  if (step === "asking") {
    return (
      <p class="solution asking" role="group">
        <span>{words.showSolutionSure}</span>
        <button type="button" class="quiet" onClick={() => setStep("open")}>{words.yesShow}</button>
        <button type="button" class="quiet" onClick={() => setStep("closed")}>{words.notYet}</button>
      </p>
    );
  }
  return <section class="solution" aria-label={words.solution}>{puzzle.solutions.map((s) => <Answer key={s.title} solution={s} />)}</section>;
}

function Answer({ solution }: { solution: Solution }) {
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
      <pre tabIndex={0} aria-label={solution.title}><code>{solution.source}</code></pre>
    </div>
  );
}
