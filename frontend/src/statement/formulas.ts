/** bounds are on what a formula, which may be a stranger's, costs: sizes in em, and macros expanded. */
export const bounds = { trust: false, strict: "ignore", throwOnError: false, maxSize: 20, maxExpand: 200 } as const;

/** typeset replaces <code class="math"> by KaTeX's nodes, which also carry MathML for screen readers. */
export async function typeset(root: HTMLElement): Promise<void> {
  const formulas = root.querySelectorAll<HTMLElement>("code.math");
  if (!formulas.length) return;
  const { default: katex } = await import("katex");
  for (const code of formulas) {
    const displayMode = code.classList.contains("display");
    const place = document.createElement(displayMode ? "div" : "span");
    katex.render(code.textContent ?? "", place, { displayMode, ...bounds });
    code.replaceWith(place);
  }
}
