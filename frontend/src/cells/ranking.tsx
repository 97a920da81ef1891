import { useState } from "preact/hooks";
import type { RankedConfig, Ranking } from "../gen/api";
import { r } from "../i18n/rank";
import { time } from "../lib/format";

/** Rankings shows what a model expects of the configs of each kernel that is tuned, and what was measured of them. */
export default function Rankings({ rankings }: { rankings: readonly Ranking[] }) {
  return <>{rankings.map((of) => <Table key={of.number} of={of} />)}</>;
}

/** few is how many configs are shown before a person asks for all. */
const few = 8;

function Table({ of: { kernel, key, configs, correlation } }: { of: Ranking }) {
  const words = r.value;
  const [all, setAll] = useState(false);
  const kept = configs.filter((c) => c.kept);
  const timed = kept.length > 1;
  const measured = kept.filter((c) => c.measured !== undefined || c.failed).length;
  const used = configs.find((c) => c.used);
  const sentences = [
    timed ? words.timed(measured, kept.length) : words.untimed,
    used && words.used(used.label),
    correlation !== undefined && words.correlation(correlation.toFixed(2)),
  ].filter((s) => typeof s === "string");
  return (
    <figure class="sweep ranking">
      <figcaption><b>{kernel}</b> · {words.head(key, configs.length)}</figcaption>
      <table aria-label={words.label(kernel)}>
        <thead>
          <tr>
            <th scope="col">{words.config}</th>
            <th scope="col" class="number">{words.expected}</th>
            <th scope="col">{words.bound}</th>
            {timed && <th scope="col" class="number">{words.measured}</th>}
            <td />
          </tr>
        </thead>
        <tbody>{(all ? configs : configs.slice(0, few)).map((c, i) => <Row key={i} config={c} timed={timed} />)}</tbody>
      </table>
      {configs.length > few && <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>{all ? words.fewer(few) : words.more(configs.length)}</button>}
      <p class="fine">{words.all(sentences)}</p>
    </figure>
  );
}

function Row({ config: { label, expected, measured, failed, used }, timed }: { config: RankedConfig; timed: boolean }) {
  const words = r.value;
  return (
    <tr class={used ? "best" : undefined}>
      <th scope="row">{label}</th>
      <td class="number">{expected ? time(expected.ms * 1e6) : words.tooMuch}</td>
      <td>{expected && (words.bounds[expected.bound] ?? expected.bound)}</td>
      {timed && <td class="number">{failed ? words.failed : measured === undefined ? "–" : time(measured * 1e6)}</td>}
      <td>{used && words.isUsed}</td>
    </tr>
  );
}
