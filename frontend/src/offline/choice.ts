// Which version of the page a person chose, by the name of its cache: the page writes it, and the service worker reads it.

/** The cache that holds the choice; its name does not begin as those of versions do. */
const cacheName = "chosen";
const key = "chosen-version";

/** choose has the version answer from now on, until a newer one does. */
export async function choose(version: string): Promise<void> {
  await (await caches.open(cacheName)).put(key, new Response(version));
}

/** chosenVersion is undefined where none was chosen. */
export async function chosenVersion(): Promise<string | undefined> {
  return (await caches.match(key, { cacheName }))?.text();
}

/** newerOf is the version that was chosen, if it is here and newer than another one, and else that one; caches are listed as they were made. */
export async function newerOf(version: string): Promise<string> {
  const chosen = await chosenVersion();
  const versions = await caches.keys();
  return chosen !== undefined && versions.indexOf(chosen) > versions.indexOf(version) ? chosen : version;
}
