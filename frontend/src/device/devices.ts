import { effect, signal } from "@preact/signals";
import type { Device } from "../gen/protocol";
import { disassembler } from "../run/code-choice";
import { isRecord, readJSON, writeJSON } from "../lib/storage";
import { local } from "../settings/settings";

/** Runner is one that this browser remembers: here and nowhere else, and never in a link. */
export interface Runner {
  address: string; // "" for the server that the page came from
  token: string;
}

/** Choice is the device on which Ctrl+Shift+Enter runs. */
export interface Choice {
  runner: string; // the address of its runner
  id: string;
  name: string;
}

const runnersKey = "newt:runners";
const choiceKey = "newt:device";

/** runners are those that were added, without the page's own server. */
export const runners = signal<readonly Runner[]>(readJSON(local, runnersKey, isRunners) ?? []);

/** choice is the chosen device; undefined until one is. */
export const choice = signal<Choice | undefined>(readJSON(local, choiceKey, isChoice));

/** known are the devices of runners that said hello since the page was opened, by address. */
export const known = signal<Readonly<Record<string, readonly Device[]>>>({});

effect(() => {
  const on = choice.value;
  const prints = on && known.value[on.runner]?.some(({ id, sass }) => id === on.id && sass);
  disassembler.value = prints ? on.name : undefined;
});

/** deviceOpen shows the dialog that chooses. */
export const deviceOpen = signal(false);

/** chooseDevice remembers a choice. */
export function chooseDevice(next: Choice | undefined): void {
  choice.value = next;
  writeJSON(local, choiceKey, next ?? null);
}

/** remember keeps a runner with its token. */
export function remember(runner: Runner): void {
  runners.value = [...runners.peek().filter((r) => r.address !== runner.address), runner];
  writeJSON(local, runnersKey, runners.peek());
}

/** forget removes a runner with its token, and the choice of one of its devices. */
export function forget(address: string): void {
  runners.value = runners.peek().filter((r) => r.address !== address);
  writeJSON(local, runnersKey, runners.peek());
  if (choice.peek()?.runner === address) chooseDevice(undefined);
}

/** tokenOf is the token that is kept for a runner. */
export function tokenOf(runner: string): string {
  return runners.peek().find((r) => r.address === runner)?.token ?? "";
}

function isRunners(value: unknown): value is Runner[] {
  return Array.isArray(value) && value.every((r) => isRecord(r) && typeof r["address"] === "string" && typeof r["token"] === "string");
}

function isChoice(value: unknown): value is Choice {
  return isRecord(value) && ["runner", "id", "name"].every((k) => typeof value[k] === "string");
}
