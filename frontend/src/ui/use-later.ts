import { useEffect, useState } from "preact/hooks";

/** useLater is true once ms have passed since a moment; false again when it is undefined. */
export function useLater(since: number | undefined, ms: number): boolean {
  const [reached, setReached] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (since === undefined) return;
    const timer = setTimeout(() => setReached(since), Math.max(0, since + ms - performance.now()));
    return () => clearTimeout(timer);
  }, [since, ms]);
  return since !== undefined && reached === since;
}
