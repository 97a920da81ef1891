// Which version of the page a person chose, by the name of its cache: the page writes it, and the service worker reads it.

/** The cache that holds the choice; its name does not begin as those of versions do. */
const cacheName = "chosen";
const key = "chosen-version";

/** choose has the version answer from now on, until a service worker takes over. */
export async function choose(version: string): Promise<void> {
  await (await caches.open(cacheName)).put(key, new Response(version));
}

/** chosenVersion is undefined where none was chosen, or where it is no longer here. */
export async function chosenVersion(): Promise<string | undefined> {
  const version = await (await caches.match(key, { cacheName }))?.text();
  return version !== undefined && (await caches.has(version)) ? version : undefined;
}

/** forgetChoice has the active service worker answer from its own version. */
export async function forgetChoice(): Promise<void> {
  await caches.delete(cacheName);
}
