import { effect } from "@preact/signals";
import { runner } from "../client/engines";
import { result, run, running } from "../state/runs";
import { route, text } from "../state/workspace";
import { examples } from "./examples";
import { kernel, known } from "./form-state";

/** watchExamples runs an example that nobody has changed as soon as it can: what it does is part of it. */
export function watchExamples(): void {
  effect(() => {
    const untouched = route.value.page === "free" && examples.some((e) => e.source === text.value);
    const ready = runner.state.value === "ready" && known.value && kernel.value !== undefined;
    if (untouched && ready && !running.value && result.value?.source !== text.value) queueMicrotask(() => void run());
  });
}
