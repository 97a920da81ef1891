import type { EditorView } from "@codemirror/view";
import { type ComponentChild, render } from "preact";

/**
 * slot makes an element of the editor that shows page content. The content is a child of the editor's host that a slot
 * takes in: so it has the page's style, which does not reach into the editor's shadow root, and its changes are none of
 * the editor's.
 */
export function slot(view: EditorView, className: string, content: ComponentChild): HTMLElement {
  const { host } = view.root as ShadowRoot;
  const place = document.createElement("slot");
  place.name = `part-${++last}`;
  const inside = document.createElement("div");
  inside.slot = place.name;
  inside.className = className;
  host.append(inside);
  render(content, inside);
  const element = document.createElement("div");
  element.className = `cm-${className}`;
  element.append(place);
  // What a cell prints while it runs makes its outputs higher.
  const observer = new ResizeObserver(() => view.requestMeasure());
  observer.observe(inside);
  slotted.set(element, { inside, observer });
  return element;
}

/** unslot removes what slot made. */
export function unslot(element: HTMLElement): void {
  const made = slotted.get(element);
  if (!made) return;
  made.observer.disconnect();
  render(null, made.inside);
  made.inside.remove();
}

let last = 0;
const slotted = new WeakMap<HTMLElement, { inside: HTMLElement; observer: ResizeObserver }>();
