import type { Puzzle, Solution } from "../content/content";
import { useWays } from "../content/ways";
import { puzzle } from "../document/workspace";
import { e } from "../i18n/beside";
import { mostAlike } from "../lib/alike";
import { result } from "../run/runs";
import { PuzzleText } from "../statement/prose";
import { Changes, differences } from "./changes";

/** context is how many lines of both answers are shown around a difference. */
const context = 2;

/** Beside shows an answer that passed beside each of ours: first that which is most like it, then other ways to do it. */
export default function Beside() {
  const source = result.value?.source;
  const of = puzzle.value;
  return source === undefined || !of?.solutions.length ? null : <Ways of={of} answer={source} />;
}

function Ways({ of, answer }: { of: Puzzle; answer: string }) {
  const words = e.value;
  const ways = useWays(of);
  const nearest = ways[mostAlike(answer, ways.map(({ source }) => source))];
  const titleOf = (way: Solution) => (way === nearest ? words.nearest(way.title) : words.another(way.title));
  return (
    <details class="beside">
      <summary>{words.title(ways.length > 1)}</summary>
      {[nearest, ...ways.filter((way) => way !== nearest)].map((way) => way && (
        <section key={way.title}>
          <h4>{ways.length > 1 ? titleOf(way) : way.title}</h4>
          {way.why && <PuzzleText puzzle={of} text={way.why} />}
          <p class="fine">{differences(answer, way.source).length ? words.legend : words.alike}</p>
          <Changes before={answer} after={way.source} context={context} label={way.title} />
        </section>
      ))}
    </details>
  );
}
