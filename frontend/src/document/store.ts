import type { CellEnd, CellOutput } from "../gen/api";
import type { Sibling } from "./siblings";

/** KeptCell is what a cell of code has shown; it belongs to the cell that says the same. */
export interface KeptCell {
  source: string;
  outputs: readonly CellOutput[];
  end?: CellEnd; // of a run here
}

/** Kept is what this browser keeps of the document besides its text: too large for the store that the text is in. */
export interface Kept {
  id: string; // of the opened file
  at: number; // milliseconds since the epoch
  bytes?: Uint8Array<ArrayBuffer> | undefined;
  siblings: readonly Sibling[];
  cells: readonly KeptCell[];
}

const database = "newt";
const table = "documents";
const byTime = "at";

/** maxKept is how many documents are kept, so that one that another has replaced can be brought back. */
const maxKept = 4;

/** keep stores a document and reports whether the browser had room for it. */
export async function keep(document: Kept): Promise<boolean> {
  try {
    await transact("readwrite", (store) => {
      const all = store.index(byTime).getAllKeys(); // the oldest first
      all.onsuccess = () => all.result.filter((id) => id !== document.id).slice(0, 1 - maxKept).forEach((id) => store.delete(id));
      return store.put(document);
    });
    return true;
  } catch {
    return false;
  }
}

/** kept is the stored document of an id, if there is one. */
export async function kept(id: string): Promise<Kept | undefined> {
  return (await transact("readonly", (store) => store.get(id)).catch(() => undefined)) as Kept | undefined;
}

function transact(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(table, { keyPath: "id" }).createIndex(byTime, byTime);
    opening.onerror = () => reject(opening.error ?? new Error("no database"));
    opening.onsuccess = () => {
      try {
        const transaction = opening.result.transaction(table, mode);
        const request = act(transaction.objectStore(table));
        // What is written is there once the transaction is complete, not when the request has succeeded.
        transaction.oncomplete = () => (opening.result.close(), resolve(request.result));
        transaction.onabort = () => (opening.result.close(), reject(transaction.error ?? new Error("aborted")));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
  });
}
