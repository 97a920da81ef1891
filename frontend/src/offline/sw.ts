// The service worker: it keeps one whole version of the page, and answers from it with or without
// a network. A new version is fetched beside the old one and waits until a person chooses it, or until no page of the old
// one is open. Whichever worker is active answers from the version that was chosen: a browser may take minutes to activate
// another one, although nothing is under way.
import precache from "newt:precache";
import { newerOf } from "./choice";

/** The part of a service worker's scope that is used here. */
interface Scope {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}

interface Extendable {
  waitUntil(done: Promise<unknown>): void;
}

interface Fetching {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = self as unknown as Scope;
const prefix = "newt-";
const current = prefix + precache.version;

/** How many versions are kept: pages of the last one may still be open, and fetch parts of theirs. */
const maxVersions = 2;

scope.addEventListener("install", (event) => event.waitUntil(fill()));
scope.addEventListener("activate", (event) => event.waitUntil(prune().then(() => scope.clients.claim())));
scope.addEventListener("message", (event) => {
  if (event.data === "take over") void scope.skipWaiting();
  if (event.data === "version") event.ports[0]?.postMessage(current);
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const name = nameOf(request.url);
  if (name?.startsWith("assets/")) event.respondWith(answer(undefined, name, request));
  else if (name !== undefined && precache.files.includes(name)) event.respondWith(newerOf(current).then((version) => answer(version, name, request)));
});

/** nameOf is a file's name below the scope; the page itself is "./", with whatever it is asked. */
function nameOf(address: string): string | undefined {
  const url = new URL(address);
  url.search = url.hash = "";
  if (!url.href.startsWith(scope.registration.scope)) return undefined;
  const name = url.href.slice(scope.registration.scope.length);
  return name === "" || name === "index.html" ? "./" : name;
}

/** fill fetches the whole version, or nothing of it; names that carry a hash are taken from an older version. */
async function fill(): Promise<void> {
  const cache = await caches.open(current);
  await Promise.all(precache.files.map(async (name) => {
    const hashed = name.startsWith("assets/");
    const response = (hashed && (await caches.match(name))) || (await fetch(name, { cache: hashed ? "default" : "reload" }));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    await cache.put(name, response);
  }));
}

/** prune deletes all but the last versions; keys come in the order of their making. */
async function prune(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== current);
  await Promise.all(versions.slice(0, Math.max(0, versions.length + 1 - maxVersions)).map((name) => caches.delete(name)));
}

/** answer takes a file from one version, or from any, and asks the network for what is in none. */
async function answer(cacheName: string | undefined, name: string, request: Request): Promise<Response> {
  const kept = await caches.match(name, cacheName === undefined ? {} : { cacheName });
  return kept ?? fetch(request);
}
