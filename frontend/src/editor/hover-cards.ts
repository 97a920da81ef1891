import { Facet } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { CardSource } from "../state/view";

/** cardSource is a facet of what has something to tell of the text under the pointer. */
export const cardSource = Facet.define<CardSource>();

/** hover shows the cards of all sources at once: one that came later would move another's buttons away from the pointer. */
export const hover = hoverTooltip(
  async (view, pos, side) => {
    const cards = await Promise.all(view.state.facet(cardSource).map((source) => source(view, pos, side)));
    return cards.filter((card) => card !== null);
  },
  { hoverTime: 250, hideOnChange: true },
);
