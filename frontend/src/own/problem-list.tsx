import type { Problem } from "../gen/api";
import { sentences } from "../lib/format";
import { lang } from "../settings/settings";
import { Phrase } from "../ui/phrase-view";

/** ProblemList lists what is wrong with the files of a puzzle: where, what, and what to do. */
export function ProblemList({ problems }: { problems: Problem[] }) {
  return (
    <ul class="puzzle-problems" role="alert">
      {problems.map(({ file, line, text, label, help }, i) => (
        <li key={i}><code>{file}:{line}</code> <span><Phrase text={sentences([text, label, help], lang.value)} /></span></li>
      ))}
    </ul>
  );
}
