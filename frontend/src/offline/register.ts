import { effect, signal } from "@preact/signals";
import { interpreter } from "../engine/engines";
import { choose, chosenVersion } from "./choice";

/**
 * How long after the page is ready the files for working offline are fetched, and how often a newer page is looked for. They
 * are 57 MB once decompressed, which takes seconds of a slow machine: whoever has just come needs these for a first run.
 */
const registerDelayMs = 10_000;
const updateEveryMs = 3_600_000;

/** newer is the service worker of a newer page, once that is here as a whole. */
export const newer = signal<ServiceWorker | undefined>(undefined);

/** watchOffline keeps the page for times without a network, and notices newer versions of it. */
export function watchOffline(): void {
  if (!("serviceWorker" in navigator)) return; // plain HTTP from another machine
  const dispose = effect(() => {
    if (interpreter.state.value === "loading") return;
    queueMicrotask(() => dispose());
    setTimeout(() => void register(), registerDelayMs);
  });
}

/**
 * useNewer loads the newer page; nothing else ever reloads the page. Its service worker takes over later, when that page says
 * so: a page that reloads meanwhile may never come.
 */
export async function useNewer(): Promise<void> {
  const worker = newer.peek();
  if (worker?.state !== "installed") return location.reload(); // from another tab, it has taken over already
  const version = await versionOf(worker);
  if (version !== undefined && (await choose(version).then(() => true, () => false))) return location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  worker.postMessage("take over");
}

/** patienceMs is how long a service worker may take to say its version. */
const patienceMs = 3000;

/** versionOf asks a service worker for the name of its version; undefined where it does not answer. */
function versionOf(worker: ServiceWorker): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = (event) => resolve(String(event.data));
    setTimeout(() => resolve(undefined), patienceMs);
    worker.postMessage("version", [port2]);
  });
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
    watch(registration);
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState !== "visible" || Date.now() - looked < updateEveryMs) return;
      looked = Date.now();
      registration.update().catch(() => undefined); // without a network there is nothing newer
    });
  } catch {
    // The browser refuses service workers: the page works as long as the network does.
  }
}

function watch(registration: ServiceWorkerRegistration): void {
  const look = (worker: ServiceWorker | null) => {
    if (!worker || !navigator.serviceWorker.controller) return; // the first one is no news
    const check = () => {
      if (worker.state === "installed") newer.value = worker;
    };
    worker.addEventListener("statechange", check);
    check();
  };
  const { waiting } = registration;
  if (waiting) void isShown(waiting).then((shown) => (shown ? waiting.postMessage("take over") : look(waiting)), () => look(waiting));
  else look(registration.installing);
  registration.addEventListener("updatefound", () => look(registration.installing));
}

/** isShown reports whether a worker that waits is of the version that was chosen, and so of this page. */
async function isShown(worker: ServiceWorker): Promise<boolean> {
  const chosen = await chosenVersion();
  return chosen !== undefined && chosen === (await versionOf(worker));
}
