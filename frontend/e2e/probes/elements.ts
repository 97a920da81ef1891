// Where elements are, and what of them a person sees and reaches. Of an element that a test names in Go comes a function,
// because the page may draw it anew in the meantime.
export type Of<T> = () => T;

export const all = <E extends HTMLElement>(selector: string, root: ParentNode = document) => [...root.querySelectorAll<E>(selector)];
export const one = <E extends HTMLElement>(selector: string, root: ParentNode = document) => root.querySelector<E>(selector)!;
export const visible = (e: Element) => e.checkVisibility({ visibilityProperty: true });
export const rect = (e: Element) => e.getBoundingClientRect();

export const editor = () => one("#editor").shadowRoot!;
export const lines = () => all(".cm-line", editor());

/** line is the first line of the editor with a text in it. */
export const line = (text: string) => lines().find((l) => l.textContent.includes(text));

/** place is where an element is, as text: what a person's pointer relies on. */
export function place(element: Of<Element>): string {
  const { x, y, width, height } = rect(element());
  return [x, y, width, height].map(Math.round).join();
}

function middleOf(e: Element, block: ScrollLogicalPosition): [number, number] {
  e.scrollIntoView({ block });
  const { x, y, width, height } = rect(e);
  return [x + width / 2, y + height / 2];
}

/** middle brings an element into view and gives its middle, once that stays: a click would miss before. */
export async function middle(element: Of<Element>): Promise<[number, number]> {
  const now = () => {
    const e = element(), at = middleOf(e, "nearest"), top = document.elementFromPoint(...at);
    // What sticks to the foot of a pane may cover an element at its edge.
    return top && (e.contains(top) || top.contains(e)) ? at : middleOf(e, "center");
  };
  for (let before = now(); ; ) {
    await new Promise((then) => { requestAnimationFrame(then); setTimeout(then, 100); }); // in the background are no frames
    const after = now();
    if (String(after) === String(before)) return after;
    before = after;
  }
}

/** covers tells whether an element's box has a point in it. */
export function covers(element: Of<Element | null>, x: number, y: number): boolean {
  const e = element(), r = e && rect(e);
  return !!r && r.left <= x && x <= r.right && r.top <= y && y <= r.bottom;
}

/** missed is what the last click or touch hit in place of the element that watchClick was given, or the long press that it became. */
export let missed = "";

export function watchClick(element: Of<EventTarget>) {
  missed = "nothing";
  addEventListener("contextmenu", () => { missed = "a long press"; }, { capture: true, once: true });
  addEventListener("pointerdown", (event) => {
    const hit = event.composedPath();
    missed = hit.includes(element()) ? "" : ((hit[0] as Element).cloneNode() as Element).outerHTML;
  }, { capture: true, once: true });
}

/** inView tells whether an element is between the upper and the lower edge of a box, or of the window, and not cut off. */
export function inView(element: Of<Element | null | undefined>, box?: Of<Element>): boolean {
  const e = element(), { top, bottom } = box ? rect(box()) : { top: 0, bottom: innerHeight };
  return !!e && visible(e) && rect(e).top >= top && rect(e).bottom <= bottom;
}

/** inWindow tells whether an element is in the window as a whole. */
export const inWindow = (element: Of<Element | null>) =>
  inView(element) && rect(element()!).left >= 0 && rect(element()!).right <= innerWidth;

/** textOf is a range of all that an element contains. */
function textOf(e: Node): Range {
  const range = document.createRange();
  range.selectNodeContents(e);
  return range;
}

/** gap is how far an element is above another, in px. */
export const gap = (above: string, below: string) => rect(one(below)).top - rect(one(above)).bottom;

/** overlap is the area in px² that two elements of the editor share; of the cursor's line its text counts. */
export function overlap(a: string, b: string): number {
  const [x, y] = [a, b].map((selector) => [selector, one(selector, editor())] as const)
    .map(([selector, e]) => selector === ".cm-activeLine" ? textOf(e).getBoundingClientRect() : rect(e)) as [DOMRect, DOMRect];
  const across = Math.min(x.right, y.right) - Math.max(x.left, y.left), down = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
  return across > 1 && down > 1 ? across * down : 0;
}

/** texts are an element's pieces of text. */
function texts(e: Element): Text[] {
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

/** linesFit tells whether no line of the editor goes past its edge. */
export function linesFit(): boolean {
  const scroller = one(".cm-scroller", editor()), edge = rect(scroller).left + scroller.clientWidth;
  return lines().flatMap((l) => [...textOf(l).getClientRects()]).every((r) => r.right <= edge);
}

/** linesInOneRow tells whether no line of the editor is broken; the value at its end, which has no text of its own, may be. */
export function linesInOneRow(): boolean {
  const most = 1.5 * rect(lines()[0]!).height;
  return lines().map((l) => texts(l).flatMap((text) => [...textOf(text).getClientRects()]))
    .every((rows) => Math.max(...rows.map((r) => r.bottom)) - Math.min(...rows.map((r) => r.top)) <= most); // -∞ of none
}

/** wordAt is the middle of a piece of a line of the editor. */
export function wordAt(inLine: string, word: string): [number, number] {
  const e = line(inLine)!, range = document.createRange();
  let from = e.textContent.indexOf(word);
  for (const text of texts(e)) {
    if (from < text.length) {
      range.setStart(text, from);
      range.setEnd(text, Math.min(text.length, from + word.length));
      break;
    }
    from -= text.length;
  }
  const { x, y, width, height } = range.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

/** crowded tells whether one of a row's visible parts covers the one before it. */
const crowded = (parts: DOMRect[]) => parts.some((r, i) => i > 0 && r.left < parts[i - 1]!.right - 0.5);

export const headerCrowded = () => crowded(all(".header :is(a, button, summary)").filter(visible).map(rect));

/** barProblems says what is wrong with the bar, which is to be one row. */
export function barProblems(): string {
  const bar = one(".bar"), { left, right, height } = rect(bar);
  const parts = all("button:not(.status *), summary, .status", bar).filter(visible).map(rect);
  const out = parts.some((r) => r.left < left || r.right > right + 0.5);
  return (out ? "cut off " : "") + (crowded(parts) ? "covered " : "") + (height > 60 ? height + " px tall" : "");
}

/** smallTargets are the controls in a part of the page that are smaller than 24 × 24 CSS pixels (WCAG 2.2, 2.5.8), or stick out. */
export const smallTargets = (part: string, mayStickOut: boolean) =>
  all(`:is(${part}) :is(button, a, select, input, summary)`).filter((e) => visible(e) && !e.closest("p, label")).filter((e) => {
    const { left, right, width, height } = rect(e);
    return width > 1 && (width < 24 || height < 24 || !mayStickOut && (left < 0 || right > innerWidth));
  }).map((e) => e.outerHTML.slice(0, 120));

/** paneHeight scrolls down and gives how much of a pane is seen above the tabs, in px. */
export function paneHeight(pane: number): number {
  document.scrollingElement!.scrollTop = 1000;
  const { top, bottom } = rect(all(".pane")[pane]!);
  return Math.min(bottom, rect(one(".tabs")).top) - Math.max(top, 0);
}

/** reached scrolls to an element, and tells whether a part of it is in the window and uncovered. */
export function reached(selector: string): boolean {
  const e = one(selector);
  e.scrollIntoView({ block: "center" });
  const { left, right, top, bottom, width, height } = rect(e);
  const at = document.elementFromPoint(left + width / 2, Math.min(innerHeight - 1, Math.max(0, top + Math.min(height, 20) / 2)));
  return width > 0 && left >= 0 && right <= innerWidth && bottom > 0 && top < innerHeight && e.contains(at);
}

/** cellPlace scrolls the memory view until a cell is in its middle, in a picture whose rows have 32 cells, and gives its place in the window. */
export function cellPlace(tensor: string, cell: number): [number, number] {
  const c = one<HTMLCanvasElement>(`[data-tensor=${tensor}] canvas`), pane = one("#view-memory");
  const at = () => {
    const { x, y, width, height } = rect(c), rows = Math.ceil(Number(c.dataset["cells"]) / 32);
    return [x + (cell % 32 + 0.5) * width / 32, y + (Math.floor(cell / 32) + 0.5) * height / rows] as [number, number];
  };
  pane.scrollTop += at()[1] - rect(pane).y - pane.clientHeight / 2;
  return at();
}

/** colourAt is the colour in the middle of a cell of a tensor's picture, whose rows have 32 cells. */
export function colourAt(tensor: string, cell: number): string {
  const c = one<HTMLCanvasElement>(`[data-tensor=${tensor}] canvas`), rows = Math.ceil(Number(c.dataset["cells"]) / 32);
  const x = (cell % 32 + 0.5) * c.width / 32, y = (Math.floor(cell / 32) + 0.5) * c.height / rows;
  return c.getContext("2d")!.getImageData(x, y, 1, 1).data.join();
}

/** tile is what the outlines over a picture of square cells are around, as slices, and whether it is ahead of the step. */
export function tile(tensor: string, columns: number): string {
  const canvas = rect(one(`[data-tensor=${tensor}] canvas`)), cell = canvas.width / columns;
  return [...document.querySelectorAll<HTMLElement>(`[data-tensor=${tensor}] .memory-frame`)].map((frame) => {
    const { left, right, top, bottom } = rect(frame);
    const [x0, x1, y0, y1] = [left - canvas.left, right - canvas.left, top - canvas.top, bottom - canvas.top].map((pixels) => Math.round(pixels / cell));
    return `${y0}:${y1}, ${x0}:${x1}${frame.dataset["ahead"] === "true" ? " ahead" : ""}`;
  }).join("; ");
}

/** colours is how many a canvas has. */
export function colours(selector: string): number {
  const c = one<HTMLCanvasElement>(selector);
  return new Set(new Uint32Array(c.getContext("2d")!.getImageData(0, 0, c.width, c.height).data.buffer)).size;
}

/** cells reads every cell of a tensor's picture with the cursor. */
export async function cells(tensor: string): Promise<string[]> {
  const figure = one(`[data-tensor=${tensor}]`), box = one(".memory-picture", figure);
  const press = async (key: string) => {
    box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await Promise.resolve(); // what an event changes is in the page by then
  };
  const n = Number(one("canvas", box).dataset["cells"]), list: string[] = [];
  for (let i = 0; i < n; i++) await press("ArrowLeft");
  for (let i = 0; i < n; i++, await press("ArrowRight"))
    list.push([...one(".memory-cell", figure).children].map((part) => (part as HTMLElement).innerText.trim()).join("|"));
  return list;
}
