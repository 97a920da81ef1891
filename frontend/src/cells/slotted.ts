import type { StateEffect } from "@codemirror/state";
import { EditorView, WidgetType } from "@codemirror/view";
import { type ComponentChild, render } from "preact";

/** What a height is guessed from until the content was laid out, in CSS pixels. */
const lineHeight = 24;

/** cursorStays keeps the cursor where it is on the screen, if it is there, whatever a transaction puts above it. */
export function cursorStays(view: EditorView): readonly StateEffect<unknown>[] {
  const { head } = view.state.selection.main;
  const cursor = view.coordsAtPos(head);
  const { top, bottom } = view.scrollDOM.getBoundingClientRect();
  if (!cursor || cursor.top < top || cursor.bottom > bottom) return [];
  return [EditorView.scrollIntoView(head, { y: "start", yMargin: cursor.top - top })];
}

/**
 * Slotted is a widget of the editor that shows page content. The content is a child of the editor's host that a slot takes
 * in: so it has the page's style, which does not reach into the editor's shadow root, and its changes are none of the
 * editor's.
 */
export abstract class Slotted extends WidgetType {
  /** Widgets of one class and key show the same; lines is about how tall the content is, in lines of text. */
  constructor(readonly className: string, readonly key: string, private readonly lines: number) {
    super();
  }

  protected abstract content(view: EditorView, element: HTMLElement): ComponentChild;

  override eq(other: Slotted): boolean {
    return other.className === this.className && other.key === this.key;
  }

  /** Where estimates are far off, the editor measures again and again to find out what is in view. */
  override get estimatedHeight(): number {
    return heights.get(this.className + this.key) ?? this.lines * lineHeight;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { host } = view.root as ShadowRoot;
    const place = document.createElement("slot");
    place.name = `part-${++last}`;
    const inside = document.createElement("div");
    inside.slot = place.name;
    inside.className = this.className;
    host.append(inside);
    const element = document.createElement("div");
    element.className = `cm-${this.className}`;
    element.append(place);
    render(this.content(view, element), inside);
    // What a cell prints while it runs makes its outputs higher.
    const observer = new ResizeObserver(() => {
      if (inside.offsetHeight) heights.set(this.className + this.key, inside.offsetHeight);
      view.requestMeasure();
    });
    observer.observe(inside);
    slotted.set(element, { inside, observer });
    return element;
  }

  override destroy(element: HTMLElement): void {
    const made = slotted.get(element);
    if (!made) return;
    made.observer.disconnect();
    render(null, made.inside);
    made.inside.remove();
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

let last = 0;
const slotted = new WeakMap<HTMLElement, { inside: HTMLElement; observer: ResizeObserver }>();

/** heights are those that contents last had. */
const heights = new Map<string, number>();
