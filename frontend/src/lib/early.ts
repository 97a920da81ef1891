/** Kept are the answers that are on their way or here, by their files' names; the page's scripts share it. */
type Kept = { newtAnswers?: Map<string, Promise<unknown>> };

/**
 * earlyAnswer is the JSON of a file, undefined where that cannot be had. The page's first script asks for what a first visit
 * shows, so that it is read by the time that the others run: what the browser was only told to preload came a frame too late.
 */
export function earlyAnswer(name: string): Promise<unknown> {
  const kept = ((globalThis as Kept).newtAnswers ??= new Map());
  const answer = kept.get(name) ?? fetch(name, { priority: "high" })
    .then((response) => (response.ok ? response.json() as Promise<unknown> : undefined))
    .catch(() => undefined);
  kept.set(name, answer);
  return answer;
}
