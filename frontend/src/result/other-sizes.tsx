import { useEffect } from "preact/hooks";
import { searcher } from "../engine/engines";
import { s } from "../i18n/other-sizes";
import { pick } from "../run/choice";
import { told, trying, trySizes } from "../run/other-sizes";
import { result } from "../run/runs";
import { showView } from "../state/view";
import { Phrase } from "../ui/phrase-view";

/**
 * OtherSizes tries an answer that passes its tests at other sizes, and leads to the launch that fails there. The first time
 * it asks: the larger program has to be fetched for that.
 */
export default function OtherSizes() {
  const of = result.value;
  const words = s.value;
  useEffect(() => {
    if (of?.verdict?.pass && searcher.starts.peek()) void trySizes(of);
  }, [of]);
  const { message, failure } = told.value ?? {};
  const look = () => {
    pick({ test: of?.verdict?.tests ?? 0, program: undefined, all: false, step: "problem" });
    showView("memory");
  };
  return (
    <div class="other-sizes" role="status">
      {told.value && <p><Phrase text={message || words.failed} /></p>}
      {trying.value && <p>{words.trying}</p>}
      {!told.value && !trying.value && of && (
        <button type="button" class="link" id="try-sizes" onClick={() => void trySizes(of)}>{words.ask}</button>
      )}
      {failure && <button type="button" class="link" onClick={look}>{words.look(failure.text)}</button>}
    </div>
  );
}
