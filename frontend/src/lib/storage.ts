/** The part of the Web Storage interface that newt uses, so that tests can pass their own. */
export interface KeyValue {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** memory is a KeyValue that forgets: used where the browser refuses storage altogether. */
export function memory(): KeyValue {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** browserStorage is one of the browser's stores, or memory where touching it throws. */
export function browserStorage(name: "localStorage" | "sessionStorage"): KeyValue {
  try {
    const store = window[name];
    store.getItem("newt");
    return store;
  } catch {
    return memory();
  }
}

/** readJSON reads a stored value; undefined if it is absent, broken or refused by accept. */
export function readJSON<T>(store: KeyValue, key: string, accept: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? "null");
    return accept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** writeText stores a text that may as well be lost, where the storage is full. */
export function writeText(store: KeyValue, key: string, text: string): void {
  try {
    store.setItem(key, text);
  } catch {
    // It is only not remembered.
  }
}

/** writeJSON stores a value and reports whether the browser took it. */
export function writeJSON(store: KeyValue, key: string, value: unknown): boolean {
  try {
    store.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
