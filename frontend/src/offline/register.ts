import { effect, signal } from "@preact/signals";
import { interpreter } from "../engine/engines";

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

/** useNewer lets the newer page take over and loads it; nothing else ever reloads the page. */
export function useNewer(): void {
  if (newer.peek()?.state !== "installed") return location.reload(); // from another tab, it has taken over already
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  newer.peek()?.postMessage("take over");
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
  look(registration.waiting ?? registration.installing);
  registration.addEventListener("updatefound", () => look(registration.installing));
}
