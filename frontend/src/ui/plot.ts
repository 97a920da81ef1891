/** titled gives a picture of the plotting library one name, a sentence; its parts have none. */
export function titled(plot: SVGElement | HTMLElement, name: string): SVGElement {
  // A policy of the page's refuses style elements; what this one says is in the page's own style sheet.
  for (const style of plot.querySelectorAll("style")) style.remove();
  for (const part of plot.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label");
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", name);
  return plot as SVGElement;
}
