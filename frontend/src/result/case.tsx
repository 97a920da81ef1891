import type { Case } from "../gen/api";
import { Icon } from "../app/icons";
import { t } from "../i18n/table";
import { short } from "../lib/format";
import { Phrase } from "../lib/phrase-view";
import { gridOf } from "../lib/tensor";
import { Elements } from "./elements";
import { ValueGrid } from "./value-grid";

/** CaseView is one launch of a check: a line, and below it what went wrong. */
export function CaseView({ result, open }: { result: Case; open: boolean }) {
  const words = t.value;
  return (
    <details class={`case ${result.pass ? "case-pass" : "case-fail"}`} open={open}>
      <summary>
        <Icon name={result.pass ? "check" : "cross"} />
        <span class="case-name">{result.name}</span>
        <span class="case-sizes">{result.sizes} · {words.seed(result.seed)}</span>
      </summary>
      <CaseBody result={result} />
    </details>
  );
}

function CaseBody({ result }: { result: Case }) {
  const words = t.value;
  return (
    <div class="case-body">
      {result.message && <p class="case-message"><Phrase text={result.message} /></p>}
      {result.wrong > 0 && <p class="fine">{words.maxError(short(result.maxError), short(result.rtol), short(result.atol))}</p>}
      <Elements elements={result.first} />
      <Grids result={result} />
      {result.inputs && result.inputs.length > 0 && (
        <details class="inputs">
          <summary>{words.inputs}</summary>
          {result.inputs.map((i) => <pre key={i.name} tabIndex={0} aria-label={i.name}>{i.name} = {i.text}</pre>)}
        </details>
      )}
    </div>
  );
}

/** Grids show output and expected on the colour scale of what is expected. */
function Grids({ result: { output, expected } }: { result: Case }) {
  const scale = expected ? { range: gridOf(expected).range } : {};
  return (
    <div class="grids">
      {output && <ValueGrid view={output} label={t.value.output} {...scale} judged />}
      {expected && <ValueGrid view={expected} label={t.value.expected} />}
    </div>
  );
}
