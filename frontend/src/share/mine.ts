import { isRecord } from "../lib/storage";
import { local } from "../settings/settings";
import { Shared } from "../settings/shared";
import { deleteShort, type Failed, type Made } from "./service";

/** Mine is a short link that was made in this browser, with the key that deletes it. */
export interface Mine {
  id: string;
  url: string;
  key: string;
  title: string;
  made: number; // milliseconds since the epoch
  expires: string; // RFC 3339, or empty
}

const maxKept = 100;

/** mine are this browser's short links, newest first. */
export const mine = new Shared<Mine[]>(local, "newt:links", isList, []);

/** remember keeps a new short link, if its key was given to us. */
export function remember(made: Made, title: string): void {
  if (!made.key) return;
  const { id, url, key: secret, expires = "" } = made;
  const link = { id, url, key: secret, title, made: Date.now(), expires };
  mine.change((list) => [link, ...list.filter((m) => m.id !== id)].slice(0, maxKept));
}

/** remove deletes a short link from the site and from the list; a link that is gone already only leaves the list. */
export async function remove(link: Mine): Promise<Failed | undefined> {
  const failed = await deleteShort(link.id, link.key);
  if (failed && !failed.gone) return failed;
  mine.change((list) => list.filter((m) => m.id !== link.id));
  return undefined;
}

function isList(value: unknown): value is Mine[] {
  return Array.isArray(value) && value.every(
    (m) => isRecord(m) && typeof m["made"] === "number" &&
      ["id", "url", "key", "title", "expires"].every((name) => typeof m[name] === "string"),
  );
}
