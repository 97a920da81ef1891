import { useEffect, useRef } from "preact/hooks";
import type { Formulas, FormulaText } from "../gen/api";
import { f } from "../i18n/formulas";
import { current } from "./stage";
import { differing } from "./why";

/** FormulaColumns has how a wrong element was computed next to how it is to be, with what differs marked. */
export default function FormulaColumns({ formulas: { says, yours, expected, marks } }: { formulas: Formulas }) {
  const words = f.value;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.parentElement?.scrollIntoView({ block: "nearest" }), [says, yours, expected]);
  const missing = { notStored: words.notStored, notFollowed: words.notFollowed }[says];
  return (
    <div class="formulas" ref={box}>
      <dl>
        <div><dt><i class="found-cells" />{words.yours}</dt><dd>{missing ?? <Formula tokens={yours} />}</dd></div>
        <div class="expected"><dt><i class="found-cells expected" />{words.expected}</dt><dd><Formula tokens={expected} /></dd></div>
      </dl>
      <p class="fine">{says === "differ" && !marks.length ? words.differHere : words.says[says]}</p>
    </div>
  );
}

function Formula({ tokens }: { tokens: FormulaText[] }) {
  return <code>{tokens.map((token, i) => (token.differs ? <Differing key={i} token={token} /> : wordOf(token)))}</code>;
}

/** Differing is what one side alone has; where its elements are outlined in a picture, which may be out of sight, it goes there. */
function Differing({ token }: { token: FormulaText }) {
  const name = /^\w+(?=\[)/.exec(token.text)?.[0];
  const outlined = current.value?.inspected.tensors.findIndex((tensor) => tensor.name === name) ?? -1;
  const marked = <mark>{wordOf(token)}</mark>;
  if (!differing.value.some(({ tensor }) => tensor === outlined)) return marked;
  const go = () => document.querySelector(`[data-tensor="${name}"] .found-cells`)?.scrollIntoView({ block: "center" });
  return <button type="button" title={f.value.show(name ?? "")} onClick={go}>{marked}</button>;
}

function wordOf({ text, kind }: FormulaText): string {
  const words = f.value;
  if (kind === "outside") return words.outside(text);
  return kind === "undefined" ? words.undefined : kind === "more" ? words.more : text;
}
