import { lazy } from "../ui/lazy";
import { t } from "../i18n/table";
import { type CodeView, codeView } from "../code/state";

const views: readonly CodeView[] = ["result", "ptx", "layouts", "reference"];

/** CodeTabs chooses between the result and the kernel's code. */
export function CodeTabs() {
  const words = t.value;
  const names = { result: words.codeResult, ptx: words.codePTX, layouts: words.codeLayouts, reference: words.reference };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = views[(views.indexOf(codeView.peek()) + step + views.length) % views.length] ?? "result";
    codeView.value = next;
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="views" role="tablist" aria-label={words.codeTabs} onKeyDown={move}>
      {views.map((view) => (
        <button
          type="button" role="tab" key={view} id={`tab-${view}`} aria-selected={codeView.value === view} aria-controls={codeView.value === view ? `view-${view}` : undefined}
          tabIndex={codeView.value === view ? 0 : -1} onClick={() => (codeView.value = view)}
        >
          {names[view]}
        </button>
      ))}
    </div>
  );
}

/** CodePane is fetched when it is first looked at. */
export const CodePane = lazy(() => import("../code/pane"));
