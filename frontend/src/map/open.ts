import { signal } from "@preact/signals";
import { leaveOverlay, watchOverlay } from "../document/overlay";
import { courseAt } from "../document/steps";
import { route } from "../document/workspace";
import { mapOf, parseMap, type ShownMap } from "./address";

/** shownMap is the open map. */
export const shownMap = signal<ShownMap | undefined>(undefined);

/** openMap opens the map of the course that is shown, or of newt's twelve. */
export function openMap(): void {
  location.hash = mapOf(courseAt(route.peek()) ?? "newt");
}

/** closeMap closes the map. Where the address is the map's it becomes that of the page below. */
export function closeMap(): void {
  shownMap.value = undefined;
  leaveOverlay(isMap);
}

/** watchMap opens the map where the address names it. */
export function watchMap(): void {
  watchOverlay({
    names: isMap,
    open: (hash) => (shownMap.value = parseMap(hash)),
    close: () => (shownMap.value = undefined),
  });
}

function isMap(hash: string): boolean {
  return parseMap(hash) !== undefined;
}
