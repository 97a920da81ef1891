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

/** forgetChoice has the worker of a version answer from its own, unless a newer one was chosen; caches are listed as they were made. */
export async function forgetChoice(version: string): Promise<void> {
  const versions = await caches.keys();
  if (versions.indexOf((await chosenVersion()) ?? "") <= versions.indexOf(version)) await caches.delete(cacheName);
}
