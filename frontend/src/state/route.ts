/** Route is what the address names: a puzzle, or the free page. */
export type Route = { page: "puzzle"; puzzle: number } | { page: "free" };

/** parseRoute reads location.hash; undefined where it names nothing that exists. */
export function parseRoute(hash: string): Route | undefined {
  const path = hash.replace(/^#\/?/, "");
  if (path === "free") return { page: "free" };
  const puzzle = /^puzzle\/([1-9]\d{0,3})$/.exec(path);
  return puzzle ? { page: "puzzle", puzzle: Number(puzzle[1]) } : undefined;
}

/** formatRoute is the address of a route. */
export function formatRoute(route: Route): string {
  return route.page === "free" ? "#/free" : `#/puzzle/${route.puzzle}`;
}

/** docOf is the key under which the route's text is kept. */
export function docOf(route: Route): string {
  return route.page === "free" ? "free" : `puzzle-${route.puzzle}`;
}
