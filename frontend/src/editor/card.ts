import { type EditorView, repositionTooltips } from "@codemirror/view";
import { mistakeOf } from "../content/mistakes";
import type { Diagnostic, HoverReply } from "../gen/api";
import { t } from "../i18n/table";
import { phrase } from "../lib/phrase";
import { applyFix } from "./problems";

type Child = Node | string;

/** element makes a DOM node; the editor's floating cards are not Preact's. */
function element(tag: string, className: string, ...children: Child[]): HTMLElement {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/** problemCard is a diagnostic in full: what, why, what to do, and Triton's own words. */
export function problemCard(view: EditorView, d: Diagnostic, done: () => void): HTMLElement {
  const words = t.peek();
  const kind = words.severity[d.severity as keyof typeof words.severity] ?? words.severity.error;
  const headline = element("p", "headline", element("span", "kind", `${kind}: `), ...phrase(d.headline));
  const card = element("section", `card card-${d.severity}`, headline);
  card.setAttribute("aria-label", words.problems);
  if (d.label) card.append(element("p", "", ...phrase(d.label)));
  if (d.why) card.append(element("p", "why", ...phrase(d.why)));
  if (d.help) card.append(element("p", "", ...phrase(d.help)));
  for (const place of d.related) {
    card.append(element("p", "why", `${words.line(place.line)}: `, ...phrase(place.text)));
  }
  if (d.triton) card.append(element("blockquote", "", element("b", "", words.tritonSays), element("pre", "", d.triton)));
  if (d.fixes.length) card.append(fixButtons(view, d, done));
  void addMistake(view, card, d.code);
  return card;
}

/** addMistake adds the example of a code, folded, to a card that is shown already; a code without one adds nothing. */
async function addMistake(view: EditorView, card: HTMLElement, code: string): Promise<void> {
  const mistake = await mistakeOf(code);
  if (!mistake) return;
  const words = t.peek();
  const folded = element("details", "mistake",
    element("summary", "", words.mistake),
    element("pre", "example", mistake.refused.trimEnd()),
    element("p", "", words.mistakeFixed),
    element("pre", "example", mistake.fixed.trimEnd()),
  );
  folded.ontoggle = () => repositionTooltips(view); // the card is taller now
  card.append(folded);
}

function fixButtons(view: EditorView, d: Diagnostic, done: () => void): HTMLElement {
  const row = element("div", "fixes");
  for (const fix of d.fixes) {
    const button = element("button", "", ...phrase(fix.title)) as HTMLButtonElement;
    button.type = "button";
    button.onclick = () => {
      done();
      applyFix(view, fix);
    };
    row.append(button);
  }
  return row;
}

/** docCard shows the documentation of the name under the pointer. */
export function docCard(hover: HoverReply): HTMLElement {
  const card = element("section", "card", element("pre", "signature", hover.signature));
  if (hover.doc) card.append(element("p", "why", ...phrase(hover.doc)));
  if (hover.example) card.append(element("pre", "example", hover.example));
  return card;
}
