import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { FreeReply, FreeTensor } from "../gen/api";
import { t } from "../i18n/table";
import { NextStep } from "../statement/next-step";
import { duration, launchText, shapeText } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { gridOf } from "../lib/tensor";
import { refusedBy } from "../run/refused";
import { finished, result } from "../run/runs";
import { Prints } from "./prints";
import { ValueGrid } from "./value-grid";

/** FreeResult: what a free run did to its tensors; those that changed come first. Children follow the verdict. */
export function FreeResult({ reply, children }: { reply: FreeReply; children: ComponentChildren }) {
  const words = t.value;
  const tensors = [...reply.tensors].sort((a, b) => Number(b.changed > 0) - Number(a.changed > 0));
  return (
    <>
      <div class={reply.ok ? "verdict verdict-plain" : "verdict verdict-fail"} id="verdict" data-pass={reply.ok} key={finished.value}>
        {reply.message && <p><Phrase text={reply.message} /></p>}
      </div>
      <Refused />
      {children}
      {tensors.map((tensor) => <TensorResult key={tensor.view.name} tensor={tensor} />)}
      <Prints prints={reply.prints} />
      {reply.ok && (
        <p class="timing">
          {words.launched(launchText(reply.grid), reply.grid.reduce((a, b) => a * b, 1))}; {words.timing(duration(reply.compileMs), duration(reply.runMs))}
        </p>
      )}
      {reply.ok && <p class="timing">{words.introLeadLocal}</p>}
      <p class="phone-only"><NextStep /></p>
    </>
  );
}

/** Refused says where Triton refuses the launch that newt has made. */
function Refused() {
  const [why, setWhy] = useState("");
  const run = finished.value;
  useEffect(() => {
    let late = false;
    void refusedBy(result.peek()?.source ?? "").then((why) => late || setWhy(why));
    return () => {
      late = true;
    };
  }, [run]);
  return why ? <p class="fault" id="refused" role="status"><Phrase text={why} /></p> : null;
}

function TensorResult({ tensor }: { tensor: FreeTensor }) {
  const words = t.value;
  const { view } = tensor;
  const grid = useMemo(() => gridOf(view), [view]);
  return (
    <section class="tensor">
      <ValueGrid view={view} sentence={words.gridShape(`${view.dtype} ${shapeText(view.shape)}`)} pictures={[{ label: view.name, grid, range: grid.range }]} />
      <details class="inputs">
        <summary>{words.asTable} · {words.changed(tensor.changed)}</summary>
        <pre tabIndex={0} aria-label={view.name}>{tensor.text}</pre>
      </details>
    </section>
  );
}
