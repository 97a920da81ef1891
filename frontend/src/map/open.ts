import { signal } from "@preact/signals";
import { leaveOverlay, watchOverlay } from "../document/overlay";
import { type Marks, formatMarks, parseMarks } from "../state/progress";

/** mapAddress is that of the map, which opens over the page that is shown; with marks behind it, of somebody's progress. */
export const mapAddress = "#/map";

/** shownMap is the open map: of one's own progress, or of that which a link has. */
export const shownMap = signal<{ theirs?: Marks } | undefined>(undefined);

/** addressOf is the link to somebody's progress. */
export function addressOf(marks: Marks): string {
  return `${mapAddress}/${formatMarks(marks)}`;
}

/** openMap opens the map of one's own progress. */
export function openMap(): void {
  location.hash = mapAddress;
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
    open: (hash) => {
      const theirs = parseMarks(hash.slice(mapAddress.length + 1));
      shownMap.value = Object.keys(theirs).length > 0 ? { theirs } : {};
    },
    close: () => (shownMap.value = undefined),
  });
}

function isMap(hash: string): boolean {
  return hash === mapAddress || hash.startsWith(`${mapAddress}/`);
}
