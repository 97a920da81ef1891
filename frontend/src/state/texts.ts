import { type KeyValue, isRecord, readJSON, writeJSON } from "../lib/storage";

/** Version is one tab's last text of a document. */
export interface Version {
  tab: string;
  text: string;
  at: number; // milliseconds since the epoch
}

/** How many tabs' versions of one document are kept; the oldest goes first. */
const maxVersions = 4;

/**
 * Texts keeps every document's text. Each tab writes its own version of a document beside those
 * of other tabs, so that no tab ever overwrites another's text. What opens is a tab's own version, or else the newest.
 */
export class Texts {
  /** What the browser did not take, by document. */
  private readonly unsaved = new Map<string, string>();

  constructor(
    private readonly store: KeyValue,
    private readonly tab: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** key is where a document's versions are stored. */
  static key(doc: string): string {
    return `newt:text:${doc}`;
  }

  /** open gives this tab's text of a document, saved or not; without one the newest, if there is any. */
  open(doc: string): string | undefined {
    const versions = this.versions(doc);
    return this.unsaved.get(doc) ?? (versions.find((v) => v.tab === this.tab) ?? versions[0])?.text;
  }

  /** isUnsaved is whether the browser did not take this tab's text of a document. */
  isUnsaved(doc: string): boolean {
    return this.unsaved.has(doc);
  }

  /** save stores this tab's text as the newest and reports whether the browser took it. */
  save(doc: string, text: string): boolean {
    const others = this.versions(doc).filter((v) => v.tab !== this.tab);
    const mine = { tab: this.tab, text, at: this.now() };
    const taken = writeJSON(this.store, Texts.key(doc), [mine, ...others].slice(0, maxVersions));
    if (taken) this.unsaved.delete(doc);
    else this.unsaved.set(doc, text);
    return taken;
  }

  /** newer gives another tab's version if it is the newest and differs from text. */
  newer(doc: string, text: string): Version | undefined {
    const newest = this.versions(doc)[0];
    return newest && newest.tab !== this.tab && newest.text !== text ? newest : undefined;
  }

  private versions(doc: string): Version[] {
    const versions = readJSON(this.store, Texts.key(doc), isVersions) ?? [];
    return [...versions].sort((a, b) => b.at - a.at);
  }
}

function isVersions(value: unknown): value is Version[] {
  return Array.isArray(value) && value.every(
    (v) => isRecord(v) && typeof v["tab"] === "string" && typeof v["text"] === "string" && typeof v["at"] === "number",
  );
}
