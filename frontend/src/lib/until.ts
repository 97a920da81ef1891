import { effect } from "@preact/signals";

/** until waits until a condition over signals holds, or a person stops waiting. */
export async function until(holds: () => boolean, stopped: AbortSignal): Promise<void> {
  let dispose: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    stopped.addEventListener("abort", () => resolve(), { once: true });
    dispose = effect(() => {
      if (holds()) resolve();
    });
  });
  dispose?.();
}
