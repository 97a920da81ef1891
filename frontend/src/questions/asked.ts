import { local } from "../settings/settings";
import { Shared } from "../settings/shared";

const asked = new Shared<readonly string[]>(local, "newt:asked", isIDs, []);

function isIDs(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((id) => typeof id === "string");
}

/** wasAsked tells whether this browser has asked a question before. */
export function wasAsked(id: string): boolean {
  return asked.peek().includes(id);
}

/** remember has a question not asked again. */
export function remember(id: string): void {
  if (!wasAsked(id)) asked.change((newest) => [...newest, id]);
}
