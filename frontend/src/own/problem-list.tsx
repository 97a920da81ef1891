import type { Problem } from "../gen/api";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";

/** ProblemList lists what is wrong with the files of a puzzle. */
export function ProblemList({ problems }: { problems: Problem[] }) {
  return (
    <ul class="puzzle-problems" role="alert">
      {problems.map((p, i) => <li key={i}>{p.file && <code>{p.file}</code>} <span><Phrase text={sentence(p.text)} /></span></li>)}
    </ul>
  );
}
