// What cannot be used of the page as it is, at a zoom or in a narrow window.
import { all, one, rect, visible } from "./elements";

const nameOf = (e: HTMLElement) =>
  `${e.id ? "#" + e.id : [e.localName, ...e.classList].join(".")} ${(e.ariaLabel ?? e.innerText ?? "").trim().slice(0, 40)}`;

// A control is what a person acts on; one for screen readers alone, or that shows when it has the focus, is none.
const controls = "button, a[href], select, textarea, input, summary, [role=separator], [tabindex='0']";
const controlsOf = (root: ParentNode) => all(controls, root)
  .map((e) => e.localName === "input" ? e.closest<HTMLElement>("label") ?? e : e)
  .filter((e, i, list) => list.indexOf(e) === i && !e.closest("[inert], .unseen, .skip, .prose a") && visible(e))
  .filter((e) => rect(e).width > 1 && rect(e).height > 1);

function hit(e: HTMLElement, x: number, y: number): boolean {
  const top = document.elementFromPoint(x, y);
  return !!top && (e.contains(top) || top.contains(e) && top.localName === "label" || !!top.closest("label")?.contains(e));
}

// Where something is larger than the window, its visible part counts.
function middleOf(e: HTMLElement) {
  const r = rect(e);
  const [left, right] = [Math.max(r.left, 0), Math.min(r.right, innerWidth)], [top, bottom] = [Math.max(r.top, 0), Math.min(r.bottom, innerHeight)];
  const inside = right - left >= Math.min(r.width, 20) && bottom - top >= Math.min(r.height, 20);
  return { x: (left + right) / 2, y: (top + bottom) / 2, inside };
}

/** problemOf says why a person cannot use a control, if so. */
function problemOf(e: HTMLElement): string | undefined {
  e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const { x, y, inside } = middleOf(e);
  if (!inside) return "cannot be scrolled to: " + nameOf(e);
  if (!hit(e, x, y)) return `${nameOf(e)} is covered by ${nameOf((document.elementFromPoint(x, y) ?? document.body) as HTMLElement)}`;
  const r = rect(e);
  if (r.left < -1 || r.right > innerWidth + 1) return nameOf(e) + " sticks out of the window";
  // WCAG 2.4.11: what has the focus is seen, if only in part.
  if (e.tabIndex < 0 || (e as HTMLButtonElement).disabled) return undefined;
  e.focus();
  e.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const f = rect(e), parts = [0.1, 0.5, 0.9];
  const seen = parts.some((u) => parts.some((v) => hit(e, f.left + u * f.width, f.top + v * f.height)));
  return seen ? undefined : nameOf(e) + " is hidden while it has the focus";
}

/** unreachable lists which controls cannot be scrolled to, clicked in their middle, or seen while they have the focus. */
export const unreachable = (list: HTMLElement[]) => list.map(problemOf).filter((problem) => problem !== undefined);

// Pictures, tables and code may scroll both ways within their box.
const twoDimensional = "canvas, table, pre, .memory-picture, .memory-map, .table-box, .code-lines, .grid, .timeline-strip, .tile-grid, .author-text, .cm-scroller";

/** widest is what makes a box scroll, which nothing within cuts off. */
const widest = (box: HTMLElement) => all("*", box).filter((e) => {
  for (let part = e; part !== box; part = part.parentElement!) if (part !== e && getComputedStyle(part).overflowX !== "visible") return false;
  return true;
}).reduce((a, b) => rect(b).right > rect(a).right ? b : a);

function scrollProblems(e: HTMLElement): string[] {
  const found = [];
  if (e.scrollWidth > e.clientWidth + 1 && e.scrollHeight > e.clientHeight + 1 && !e.closest(twoDimensional))
    found.push(`${nameOf(e)} scrolls in both directions, for ${nameOf(widest(e))}`);
  if (e.clientHeight < 40 && e.scrollHeight > e.clientHeight + 8) found.push(`${nameOf(e)} shows ${e.clientHeight} px of ${e.scrollHeight}`);
  return found;
}

function isCutOff(e: HTMLElement): boolean {
  if (!visible(e) || e.closest(".unseen, .skip") || e.title || e.closest("[title]")) return false;
  return /hidden|clip/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0;
}

/** zoomProblems lists what cannot be used of a part of the page. */
export function zoomProblems(part: string): string[] {
  const root = one(part), width = document.documentElement.scrollWidth;
  return [
    ...width > innerWidth ? [`the page is ${width} px wide`] : [],
    ...all("*", root).filter((e) => visible(e) && /auto|scroll/.test(getComputedStyle(e).overflow)).flatMap(scrollProblems),
    ...all("button, label, h1, h2, h3, p, li, summary, th, td, figcaption, select", root).filter(isCutOff).map((e) => "cut off: " + nameOf(e)),
    ...unreachable(controlsOf(root)),
  ];
}
