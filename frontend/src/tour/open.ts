import { signal } from "@preact/signals";
import { writeText } from "../lib/storage";
import { local } from "../settings/settings";

const key = "newt:tour";

/** tourOpen shows the tour. */
export const tourOpen = signal(false);

/** tourOffered tells that the page offers the tour: once, until it is taken. */
export const tourOffered = signal(local.getItem(key) === null);

/** noteOffer remembers that a person has seen the offer. */
export function noteOffer(): void {
  writeText(local, key, "offered");
}

/** openTour begins the tour. */
export function openTour(): void {
  tourOpen.value = true;
  tourOffered.value = false;
}
