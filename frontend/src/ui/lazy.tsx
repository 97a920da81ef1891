import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/**
 * lazy is a component whose script is fetched when it is first wanted. Where that fails, failure says so, and it is
 * tried again the next time.
 */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, failure: ReadonlySignal<string>) {
  const loaded: Signal<{ view?: ComponentType<P>; failed?: boolean }> = signal({});
  return function Lazy({ wanted, ...props }: P & { wanted: boolean }) {
    useEffect(() => {
      if (wanted && !loaded.peek().view) load().then(({ default: view }) => (loaded.value = { view }), () => (loaded.value = { failed: true }));
    }, [wanted]);
    const { view: View, failed } = loaded.value;
    if (View) return <View {...(props as unknown as P)} />;
    return wanted && failed ? <p class="status bad" role="alert">{failure.value}</p> : null;
  };
}
