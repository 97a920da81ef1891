import { formatRoute } from "../state/route";
import { route } from "./workspace";

/** Overlay is a dialog with an address, which opens over the page that is shown. */
interface Overlay {
  /** names tells whether an address is that of the dialog. */
  names: (hash: string) => boolean;
  open: (hash: string) => void;
  close: () => void;
}

/** watchOverlay opens a dialog where the address names it, and closes it at any other: a page that is shown has an address of its own. */
export function watchOverlay({ names, open, close }: Overlay): void {
  const follow = () => {
    if (names(location.hash)) open(location.hash);
    else close();
  };
  addEventListener("hashchange", follow);
  follow();
}

/** leaveOverlay makes the address that of the page below a dialog that has been closed. */
export function leaveOverlay(names: (hash: string) => boolean): void {
  if (names(location.hash)) history.replaceState(null, "", formatRoute(route.peek()));
}
