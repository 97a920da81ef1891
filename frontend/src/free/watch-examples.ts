import { effect } from "@preact/signals";
import { interpreter } from "../engine/engines";
import { result, run, running } from "../run/runs";
import { placed } from "../share/incoming";
import { route, text } from "../document/workspace";
import { examples } from "../content/examples";
import { calls, known } from "../document/call";

/**
 * watchExamples runs an example that nobody has changed as soon as it can: what it does is part of
 * it. What a link brought is not run, be it an example.
 */
export function watchExamples(): void {
  effect(() => {
    const example = examples.find((e) => e.source === text.value && e.source !== placed.value);
    const untouched = route.value.page === "free" && example !== undefined && calls(example);
    const ready = interpreter.state.value === "ready" && known.value;
    if (untouched && ready && !running.value && result.value?.source !== text.value) queueMicrotask(() => void run());
  });
}
