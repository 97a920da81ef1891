import { effect } from "@preact/signals";
import { runner } from "../client/engines";
import { result, run, running } from "../state/runs";
import { route, text } from "../state/workspace";
import { examples } from "./examples";
import { kernel } from "./form-state";

/** watchFirstRun runs the free page's first example as soon as it can, if nobody has changed it. */
export function watchFirstRun(): void {
  const dispose = effect(() => {
    const untouched = route.value.page === "free" && text.value === examples[0].source;
    if (!untouched || runner.state.value !== "ready" || !kernel.value) return;
    queueMicrotask(() => {
      dispose();
      if (!result.peek() && !running.peek()) void run();
    });
  });
}
