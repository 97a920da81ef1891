import { useEffect, useMemo, useState } from "preact/hooks";
import type { Case, CaseDetail, TensorView } from "../gen/api";
import { Icon } from "../ui/icons";
import { t } from "../i18n/table";
import { sentence as capital, shapeText, short } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { around, differenceOf, gridOf } from "../lib/tensor";
import { detailOf } from "../run/case-detail";
import { question, showView } from "../state/view";
import { Elements } from "./elements";
import { ValueGrid } from "./value-grid";

interface Props {
  result: Case;
  test: number; // counted from 0
  name: string;
  open: boolean; // at first
}

/** CaseView is one test: a line, and below it what came of it. That is made once it is opened. */
export function CaseView({ result, test, name, open }: Props) {
  const [seen, setSeen] = useState(open);
  return (
    <details class={`case ${result.pass ? "case-pass" : "case-fail"}`} open={open} onToggle={(e) => e.currentTarget.open && setSeen(true)}>
      <summary>
        <Icon name="right" />
        <Icon name={result.pass ? "check" : "cross"} />
        <span class="case-name">{name}</span>
        <span class="case-sizes">{result.sizes} · {t.value.seed(result.seed)}</span>
      </summary>
      {seen && <CaseBody result={result} test={test} />}
    </details>
  );
}

/** CaseBody asks for the detail of a test that the verdict does not have it of. */
function CaseBody({ result, test }: Pick<Props, "result" | "test">) {
  const [asked, setAsked] = useState<{ of: Case; detail: CaseDetail }>();
  useEffect(() => {
    if (!result.detail) void detailOf(test).then((detail) => detail && setAsked({ of: result, detail }));
  }, [result, test]);
  const detail = result.detail ?? (asked?.of === result ? asked.detail : undefined);
  return <div class="case-body">{detail && <Detail detail={detail} test={test} />}</div>;
}

function Detail({ detail, test }: { detail: CaseDetail; test: number }) {
  const words = t.value;
  const { output, expected, inputs } = detail;
  return (
    <>
      {detail.message && <p class="case-message"><Phrase text={capital(detail.message)} /></p>}
      {detail.wrong > 0 && detail.maxError < Number.MAX_VALUE && <p class="fine">{words.maxError(short(detail.maxError), short(detail.rtol), short(detail.atol))}</p>}
      {output && expected && <Comparison detail={detail} output={output} expected={expected} />}
      <Elements elements={detail.first} onWhy={output && ((index) => askWhy(test, index, output.shape))} />
      {inputs && inputs.length > 0 && (
        <details class="inputs">
          <summary>{words.inputs}</summary>
          {inputs.map((i) => <pre key={i.name} tabIndex={0} aria-label={i.name}>{i.name} = {i.text}</pre>)}
        </details>
      )}
    </>
  );
}

/** askWhy shows in the memory view where an element of the output comes from. */
function askWhy(test: number, index: readonly number[], shape: readonly number[]): void {
  question.value = { test, element: index.reduce((number, i, axis) => number * (shape[axis] ?? 1) + i, 0) };
  showView("memory");
}

/** Comparison shows what the kernel wrote, what is right, and the difference; the first two share a colour scale. */
function Comparison({ detail, output, expected }: { detail: CaseDetail; output: TensorView; expected: TensorView }) {
  const words = t.value;
  const [got, want, difference] = useMemo(() => {
    const [got, want] = [gridOf(output), gridOf(expected)];
    const largest = Math.max(Math.abs(want.range.low), Math.abs(want.range.high));
    const difference = differenceOf(got, want);
    return [got, want, { grid: difference, range: around(difference.range, 2 * (detail.atol + detail.rtol * largest)) }] as const;
  }, [detail]);
  const shape = `${output.name}: ${output.dtype} ${shapeText(output.shape)}`;
  const sentence = detail.compared ? words.gridWrong(shape, detail.wrong, output.unwritten.length > 0) : words.gridStopped(shape);
  const pictures = [
    { label: words.colGot, grid: got, range: want.range },
    { label: words.colWant, grid: want, range: want.range },
    ...(detail.compared ? [{ label: words.difference, ...difference }] : []),
  ];
  return <ValueGrid view={output} sentence={sentence} pictures={pictures} />;
}
