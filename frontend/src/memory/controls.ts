import { editor, type MemoryControls } from "../state/view";
import { current, lineBy, stepBy } from "./stage";
import { stopsOpen } from "./timeline";

/** controls are what the page does in this view. */
export const controls: MemoryControls = {
  hasSteps: () => (current.peek()?.inspected.total ?? 0) > 0,
  stepBy,
  lineBy,
  toggleBreakpoint: () => void toggleHere(),
  showBreakpoints: () => (stopsOpen.value = true),
};

async function toggleHere(): Promise<void> {
  const { toggleBreakpoint } = await import("./breakpoints");
  const view = editor.peek()?.view;
  if (!view) return;
  const { doc, selection } = view.state;
  toggleBreakpoint(view, doc.lineAt(selection.main.head).number);
  stopsOpen.value = true;
}
