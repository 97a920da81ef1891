// What the page stores in the browser.

const result = <T>(request: IDBRequest<T>) => new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));

/** documents are those that the page has stored. */
export async function documents(): Promise<{ bytes?: Uint8Array; cells: { source: string }[] }[]> {
  const database = await result(indexedDB.open("newt"));
  return result(database.transaction("documents").objectStore("documents").getAll());
}

/** versionsKept are the versions of the page that are cached, once the newest one's service worker is active. */
export async function versionsKept(): Promise<string> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration?.waiting) return "a worker waits";
  return (await caches.keys()).filter((name) => name.startsWith("newt-")).join();
}

/** savedText is the newest text of the page's document: all of it, where the editor draws the lines in view. */
export function savedText(): string {
  const texts = JSON.parse(localStorage.getItem("newt:text:" + location.hash.slice(2).replace("/", "-"))!) as { at: number; text: string }[];
  return texts.toSorted((a, b) => b.at - a.at)[0]!.text;
}

/** dataURL is a file that the page has made as a data URL. */
export function dataURL(file: Blob): Promise<string> {
  const reader = new FileReader();
  reader.readAsDataURL(file);
  return new Promise((resolve) => (reader.onload = () => resolve(reader.result as string)));
}
