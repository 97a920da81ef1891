/** Route is what the address names: a puzzle, somebody's own puzzle, the free page, or the document. */
export type Route = { page: "puzzle"; puzzle: number } | { page: "own"; id: string } | { page: "free" } | { page: "document" };

/** parseRoute reads location.hash; undefined where it names nothing that exists. */
export function parseRoute(hash: string): Route | undefined {
  const path = hash.replace(/^#\/?/, "");
  if (path === "free" || path === "document") return { page: path };
  const puzzle = /^puzzle\/([1-9]\d{0,3})$/.exec(path);
  if (puzzle) return { page: "puzzle", puzzle: Number(puzzle[1]) };
  const own = /^own\/(\d[\w-]{0,63}\.[0-9a-z]{1,16})$/.exec(path);
  return own?.[1] === undefined ? undefined : { page: "own", id: own[1] };
}

/** formatRoute is the address of a route. */
export function formatRoute(route: Route): string {
  if (route.page === "puzzle") return `#/puzzle/${route.puzzle}`;
  return route.page === "own" ? `#/own/${route.id}` : `#/${route.page}`;
}

/** docOf is the key under which the route's text is kept. */
export function docOf(route: Route): string {
  if (route.page === "puzzle") return `puzzle-${route.puzzle}`;
  return route.page === "own" ? `own-${route.id}` : route.page;
}

/** markKey is the key under which the route’s mark is kept. */
export function markKey(route: Route): string {
  return route.page === "puzzle" ? String(route.puzzle) : docOf(route);
}
