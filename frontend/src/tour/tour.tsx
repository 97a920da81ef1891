import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { s } from "../i18n/tour";
import { Icon } from "../ui/icons";
import { tourOpen } from "./open";
import { stops, takeBack } from "./stops";

/** Tour goes through the page's parts with a card next to each. The page stays usable, and its texts are left alone. */
export default function Tour() {
  return tourOpen.value ? <Stops /> : null;
}

/** How often the card looks where the thing is that it tells of, in milliseconds: views arrive late and scroll. */
const lookEveryMs = 100;

/** outlineInset is what lies between a thing and its outline, in CSS pixels. */
const outlineInset = 4;

function Stops() {
  const words = s.value;
  const [at, setAt] = useState(0);
  const card = useRef<HTMLElement>(null);
  const stop = stops[at] ?? stops[0];
  const last = at === stops.length - 1;
  const about = useLook(stop.about);
  const forwards = () => card.current?.querySelector<HTMLElement>(".tour-next")?.focus();

  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      takeBack();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    stop.enter();
    forwards();
  }, [stop]);
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog:modal")) end();
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, []);

  const { offer } = stop;
  const tryIt = () => {
    offer?.act();
    if (!offer?.when()) forwards(); // the button goes
  };
  return (
    <>
      {about && (
        <div
          class="tour-about" aria-hidden="true"
          style={{ left: `${about.left}px`, top: `${about.top}px`, width: `${about.right - about.left}px`, height: `${about.bottom - about.top}px` }}
        />
      )}
      <section class="tour" role="dialog" aria-label={words.name} data-stop={stop.id} ref={card}>
        <div class="tour-head">
          <span class="overline">{words.stopOf(at + 1, stops.length)}</span>
          <button type="button" class="tool" aria-label={words.leave} title={words.leave} onClick={end}><Icon name="close" /></button>
        </div>
        <div aria-live="polite">
          <h2>{words.stops[stop.id].title}</h2>
          <p>{words.stops[stop.id].text}</p>
        </div>
        {offer?.when() && <button type="button" class="quiet tour-try" onClick={tryIt}>{offer.label()}</button>}
        <div class="tour-foot">
          {at > 0 && <button type="button" class="quiet" onClick={() => setAt(at - 1)}>{words.back}</button>}
          <button type="button" class="cta tour-next" onClick={last ? end : () => setAt(at + 1)}>{last ? words.done : words.next}</button>
        </div>
      </section>
    </>
  );
}

function end(): void {
  tourOpen.value = false;
}

/** Box is a rectangle of the window, in CSS pixels. */
type Box = Pick<DOMRect, "left" | "top" | "right" | "bottom">;

/** useLook follows the first of some elements that the page shows, and brings it into view when it appears. */
function useLook(selectors: readonly string[]): Box | undefined {
  const [about, setAbout] = useState<Box | undefined>(undefined);
  useLayoutEffect(() => {
    let seen: Element | undefined;
    let before = "";
    const follow = () => {
      const found = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
      const element = found.find((e) => e.checkVisibility({ visibilityProperty: true }));
      if (element && element !== seen) element.scrollIntoView({ block: "nearest" });
      seen = element;
      const now = element && outlineOf(element);
      const key = JSON.stringify(now ?? null);
      if (key !== before) setAbout(now);
      before = key;
    };
    follow();
    const timer = setInterval(follow, lookEveryMs);
    addEventListener("scroll", follow, { capture: true, passive: true });
    addEventListener("resize", follow);
    return () => {
      clearInterval(timer);
      removeEventListener("scroll", follow, { capture: true });
      removeEventListener("resize", follow);
    };
  }, [selectors]);
  return about;
}

/** outlineOf is a little more than an element, as far as its pane shows it. */
function outlineOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const pane = element.closest(".pane")?.getBoundingClientRect() ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return {
    left: Math.max(pane.left, left - outlineInset), top: Math.max(pane.top, top - outlineInset),
    right: Math.min(pane.right, right + outlineInset), bottom: Math.min(pane.bottom, bottom + outlineInset),
  };
}
