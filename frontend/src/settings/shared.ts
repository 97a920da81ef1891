import { type Signal, signal } from "@preact/signals";
import { type KeyValue, readJSON, writeJSON } from "../lib/storage";

/** refused are the keys of the shared values that the browser has not taken, so that only this tab has them. */
export const refused = signal<ReadonlySet<string>>(new Set());

/** Listen calls a function with the key of what another tab has stored; null is for all keys. */
type Listen = (changed: (event: Pick<StorageEvent, "key">) => void) => void;

/** Shared is a value that all tabs keep in the browser's storage. It follows what other tabs store. */
export class Shared<T> {
  private readonly now: Signal<T>;

  constructor(
    private readonly store: KeyValue,
    private readonly key: string,
    private readonly accept: (value: unknown) => value is T,
    private readonly initial: T,
    listen: Listen = (changed) => addEventListener("storage", changed),
  ) {
    this.now = signal(this.newest());
    listen(({ key: changed }) => {
      if (changed === key || changed === null) this.now.value = this.newest();
    });
  }

  get value(): T {
    return this.now.value;
  }

  /** peek is the value, without following it. */
  peek(): T {
    return this.now.peek();
  }

  /** unsaved is whether the browser has not taken the value. */
  get unsaved(): boolean {
    return refused.value.has(this.key);
  }

  /** change makes another value of the newest, whichever tab that is from; undefined is stored as nothing. */
  change(to: (newest: T) => T): void {
    const next = to(this.newest());
    this.now.value = next;
    if (next === undefined) this.store.removeItem(this.key);
    const taken = next === undefined || writeJSON(this.store, this.key, next);
    const others = [...refused.peek()].filter((key) => key !== this.key);
    refused.value = new Set(taken ? others : [...others, this.key]);
  }

  private newest(): T {
    if (refused.peek().has(this.key)) return this.now.peek();
    return readJSON(this.store, this.key, this.accept) ?? this.initial;
  }
}
