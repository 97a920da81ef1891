// What changes in the page, and when a test wants to know of it.
import { all, editor, one, rect, type Of } from "./elements";

/** observe calls look after each change of a part of the page, until it gives true. */
export function observe(root: Node, look: () => boolean) {
  new MutationObserver((_, observer) => {
    if (look()) observer.disconnect();
  }).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** seen holds what watch has seen, in its order. */
export const seen: unknown[] = [];

/** watch keeps what an expression gives after each change of the page or of the editor, but for what is undefined. */
export function watch(value: Of<unknown>) {
  for (const root of [document.body, editor()]) {
    observe(root, () => {
      const now = value();
      if (now !== undefined && now !== seen.at(-1)) seen.push(now);
      return false;
    });
  }
}

/** clickAtOnce clicks an element as soon as it is there. */
export function clickAtOnce(selector: string) {
  observe(document.body, () => {
    one(selector)?.click();
    return !!one(selector);
  });
}

/** wantAgain clicks a dialog's button after its closing was asked for and before the browser tells of it: is it open? */
export async function wantAgain(dialog: string, button: Of<HTMLElement>): Promise<boolean> {
  const closed = new Promise((resolve) => one(dialog).addEventListener("close", resolve, { once: true }));
  one<HTMLDialogElement>(dialog).requestClose();
  for (let i = 0; i < 20; i++) await Promise.resolve(); // the close event is a task of its own; microtasks come before it
  button().click();
  await closed;
  await new Promise((resolve) => setTimeout(resolve));
  return one<HTMLDialogElement>(dialog).open;
}

/** files are what a person drops or chooses: texts by their names. */
export function files(texts: { [name: string]: string }): DataTransfer {
  const data = new DataTransfer();
  for (const [name, text] of Object.entries(texts)) data.items.add(new File([text], name));
  return data;
}

const bubbling = { bubbles: true, cancelable: true, composed: true };

/** drop drops a script on an element with a file that it reads, and tells whether the browser would open it. */
export const drop = (on: string) => one(on).dispatchEvent(new DragEvent("drop", {
  dataTransfer: files({ "beside.csv": "1,2\n", "dropped.py": "print('dropped')\n" }), ...bubbling,
}));

/** paste pastes a text into the editor as its paste event has it: browsers give a test no clipboard. */
export function paste(text: string) {
  const content = one(".cm-content", editor()), clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.focus();
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, ...bubbling }));
}

/** swipe moves a finger on an element, and tells whether that is left to the browser. */
export function swipe(on: string, x: number, y: number): boolean {
  const target = one(on);
  const send = (kind: string, clientX: number, clientY: number) => target.dispatchEvent(new TouchEvent(kind, { touches: [new Touch({ identifier: 1, target, clientX, clientY })], ...bubbling }));
  send("touchstart", 0, 0);
  return send("touchmove", x, y);
}

/** marked tells whether an element with a selector looks another way with an attribute set so, in what forced colours leave. */
export function marked(selector: string, attribute: string, value: string): boolean {
  const element = one(selector);
  if (!element) return true;
  const look = () => {
    const s = getComputedStyle(element);
    return [s.outlineStyle, s.outlineWidth, s.borderTopColor, s.borderTopWidth].join();
  };
  const [before, own] = [look(), element.getAttribute(attribute)];
  element.setAttribute(attribute, value);
  const after = look();
  if (own === null) element.removeAttribute(attribute);
  else element.setAttribute(attribute, own);
  return before !== after;
}

/** shownPictures are the places and sizes of the pictures of the open test. */
export const shownPictures = () => all(".case[open] .grid canvas").map(rect);

/** picturesInRow tells whether the three pictures of the open test lie side by side. */
export function picturesInRow(): boolean {
  const at = shownPictures();
  return at.length === 3 && at.every(({ x, y, width, height }, i) =>
    Math.abs(y - at[0]!.y) < 1 && (i === 0 || x > at[i - 1]!.x) && width > 60 && height > 60);
}

/** table is what stands in the cells of a table's rows. */
export const table = (rows: string) => all(rows).map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText));

/** chosenCode is what the view of the code shows, and what it compares that with. */
export const chosenCode = () =>
  ["code-target", "unchecked", "code-stage", "base-stage", "base-target", "base-numWarps", "base-numStages", "base-text"]
    .map((id) => document.getElementById(id) as HTMLInputElement | null)
    .map((control) => control?.type === "checkbox" ? control.checked : control?.value).join(" ");

declare const axe: { run(on: Node, options: object): Promise<{ violations: { id: string; help: string; nodes: { target: string[] }[] }[] }> };

/** violations are what axe-core, which is loaded, has against a part of the page as it is. */
export async function violations(part: string): Promise<string[]> {
  // What is in order needs no list of its elements, and no rule here needs all style sheets fetched again.
  const runOnly = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
  const found = await axe.run(one(part), { runOnly, resultTypes: ["violations"], preload: false });
  return found.violations.map((v) => `${v.id}: ${v.help} ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`);
}
