import { useState } from "preact/hooks";
import type { Puzzle } from "../content/content";
import { partFailed, t } from "../i18n/table";
import { lazy } from "../ui/lazy";

const Answers = lazy(() => import("./answers"), partFailed);

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
  return <section class="solution" aria-label={words.solution}><Answers wanted puzzle={puzzle} /></section>;
}
