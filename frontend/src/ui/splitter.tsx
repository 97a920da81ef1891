import { useLayoutEffect, useRef } from "preact/hooks";

const step = 0.02;

/** Division is how two neighboring parts of a page share a side of it. */
export interface Division {
  axis: "x" | "y";
  sized: "before" | "after"; // which of the parts has a size of its own; the other one has the rest
  initial: number; // a fraction of the page
  min: number;
  max: number;
}

interface SplitterProps {
  of: Division;
  id: string; // of the custom property with the size
  class: string;
  label: string;
  controls: string; // the id of the part with a size
  size: number; // a fraction of the page
  folded: boolean;
  onSize: (size: number) => void; // at each move of a drag, too
  onEnd: () => void; // of a drag, or at once of what is no drag
  onFold: (folded: boolean) => void;
}

/**
 * Splitter is a divider between two parts, the window splitter of ARIA's patterns: drag it, or use the arrow keys; Enter, or
 * dragging the part to less than half of its least size, folds it, and a click unfolds it.
 */
export function Splitter({ of, id, class: className, label, controls, size, folded, onSize, onEnd, onFold }: SplitterProps) {
  const element = useRef<HTMLDivElement>(null);
  const { axis, sized, initial, min, max } = of;
  const start = useRef(size); // of a drag; a pane that it folds comes back as it was
  const dragged = useRef(false);

  useLayoutEffect(() => {
    element.current?.parentElement?.style.setProperty(id, `${((folded ? 0 : size) * 100).toFixed(2)}%`);
  }, [id, size, folded]);

  const set = (to: number) => {
    const fold = to < min / 2;
    if (fold !== folded) onFold(fold);
    onSize(fold ? start.current : Math.min(max, Math.max(min, to)));
  };

  const drag = (event: PointerEvent) => {
    const box = element.current?.parentElement?.getBoundingClientRect();
    if (!box || !element.current?.hasPointerCapture(event.pointerId)) return;
    dragged.current = true;
    const before = axis === "x" ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    set(sized === "before" ? before : 1 - before);
  };

  const press = (event: KeyboardEvent) => {
    const [back, forwards] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const [smaller, larger] = sized === "before" ? [back, forwards] : [forwards, back];
    const acts: Record<string, () => void> = {
      [larger]: () => (folded ? onFold(false) : set(size + step)), [smaller]: () => folded || set(Math.max(min, size - step)),
      Home: () => set(min), End: () => set(max), Enter: () => onFold(!folded),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    onEnd();
  };

  return (
    <div
      ref={element}
      class={`splitter splitter-${axis} ${className}`}
      role="separator"
      tabIndex={0}
      data-folded={folded}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={folded ? 0 : Math.round(size * 100)}
      aria-valuemin={0}
      aria-valuemax={max * 100}
      onPointerDown={(e) => {
        dragged.current = false;
        start.current = size;
        element.current?.setPointerCapture(e.pointerId);
      }}
      onPointerMove={drag}
      onLostPointerCapture={onEnd}
      // touch-action: none alone stops scrolling, not Chromium's fling at the end of a quick drag, which swallows the next tap.
      onTouchMove={(e) => e.preventDefault()}
      onClick={() => folded && !dragged.current && onFold(false)}
      onDblClick={() => {
        set(initial);
        onEnd();
      }}
      onKeyDown={press}
    />
  );
}
