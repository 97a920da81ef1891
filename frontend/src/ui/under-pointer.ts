/** scrollers are the panes that scroll their content. */
const scrollers = ".scroll, .lens, .layouts";

/** Pointed is an element that a mouse points at. */
interface Pointed {
  element: Element;
  scroller: HTMLElement;
  top: number; // of the element in the window, CSS pixels
  scrolled: number; // the scroller's scrollTop at that time
}

/**
 * watchPointer scrolls a pane as its content changes, so that what a mouse points at stays under it and a click does not miss
 * what has just moved. A browser's own scroll anchoring holds what is at the top of the pane, and what arrives below that moves
 * the rest. Who types points at nothing, and sees what is new at the top.
 */
export function watchPointer(): void {
  let pointed: Pointed | undefined;
  // Before the next frame, so that no click falls in between.
  const changes = new MutationObserver(() => pointed && (pointed = held(pointed)));
  const leave = () => {
    changes.disconnect();
    for (const property of ["overflow-anchor", "--lead", "--tail"]) pointed?.scroller.style.removeProperty(property);
    pointed = undefined;
  };
  const point = ({ pointerType, target }: PointerEvent) => {
    const element = target as Element;
    const scroller = pointerType === "touch" ? null : element.closest<HTMLElement>(scrollers);
    if (scroller !== pointed?.scroller) leave();
    if (!scroller) return;
    if (!pointed) {
      scroller.style.setProperty("overflow-anchor", "none");
      changes.observe(scroller, { attributes: true, characterData: true, childList: true, subtree: true });
    }
    pointed = placed(element, scroller);
  };
  const scrolled = () => pointed && (pointed = placed(pointed.element, pointed.scroller));
  const options = { capture: true, passive: true };
  for (const type of ["pointerover", "pointermove", "pointerdown"] as const) document.addEventListener(type, point, options);
  document.addEventListener("scroll", scrolled, options);
  document.addEventListener("keydown", leave, options);
  document.documentElement.addEventListener("pointerleave", leave);
}

function placed(element: Element, scroller: HTMLElement): Pointed {
  return { element, scroller, top: element.getBoundingClientRect().top, scrolled: scroller.scrollTop };
}

/** held is an element where it was before, unless something else has scrolled, or it sticks to an edge of the scroller. */
function held({ element, scroller, top, scrolled }: Pointed): Pointed {
  const moved = () => Math.round(element.getBoundingClientRect().top - top);
  const by = moved();
  const { clientHeight, scrollHeight, scrollTop } = scroller;
  // A browser scrolls back by itself where the content has become shorter.
  const cut = scrollTop < scrolled && scrollTop + clientHeight >= scrollHeight - 1;
  if (by && element.isConnected && (cut || scrollTop === scrolled)) {
    const offset = scrollTop - (parseFloat(scroller.style.getPropertyValue("--lead")) || 0);
    scrollTo(scroller, offset + by);
    if (moved()) scrollTo(scroller, offset);
  }
  return placed(element, scroller);
}

/** scrollTo scrolls content to an offset, with empty room before and after it where that is outside of the content. */
function scrollTo(scroller: HTMLElement, offset: number): void {
  const { clientHeight, style } = scroller;
  style.setProperty("--lead", `${Math.max(0, -offset)}px`);
  style.setProperty("--tail", `${clientHeight}px`); // for now, so that scrollHeight tells of a content that is shorter, too
  style.setProperty("--tail", `${Math.max(0, Math.ceil(offset + 2 * clientHeight - scroller.scrollHeight))}px`);
  scroller.scrollTop = offset;
}
