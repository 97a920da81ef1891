type Katex = typeof import("katex").default;

/** bounds are on what a formula, which may be a stranger's, costs: sizes in em, and macros expanded. */
const bounds = { trust: false, strict: "ignore", throwOnError: false, maxSize: 20, maxExpand: 200 } as const;

/** typeset replaces <code class="math"> by KaTeX's nodes, which also carry MathML for screen readers. */
export async function typeset(root: HTMLElement): Promise<void> {
  const formulas = root.querySelectorAll<HTMLElement>("code.math");
  if (!formulas.length) return;
  const { default: katex } = await import("katex");
  for (const code of formulas) {
    const displayMode = code.classList.contains("display");
    const place = document.createElement(displayMode ? "div" : "span");
    renderFormula(katex, code.textContent ?? "", place, displayMode);
    code.replaceWith(place);
  }
}

/** renderFormula puts a formula into an element; one that is wider than its column scrolls, by keys as well. */
function renderFormula(katex: Katex, tex: string, place: HTMLElement, displayMode: boolean): void {
  katex.render(tex, place, { displayMode, ...bounds });
  if (!displayMode) return;
  place.classList.add("display");
  new ResizeObserver(() => (place.tabIndex = place.scrollWidth > place.clientWidth ? 0 : -1)).observe(place);
}
