import type { Example } from "../content/examples";
import { setCall } from "../document/call";
import { replaceAll } from "../document/workspace";

/** openExample puts an example with its call into the free page, and offers to undo that. */
export function openExample(example: Example): void {
  setCall(example);
  replaceAll(example.source);
}
