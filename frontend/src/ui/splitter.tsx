import { useLayoutEffect, useRef } from "preact/hooks";

const step = 0.02;
const min = 0.16;
const max = 0.5;

interface SplitterProps {
  side: 0 | 1; // of the middle: 0 sets the width of the first of three parts, 1 that of the last
  label: string;
  width: number; // a fraction of the whole
  initial: number; // the width that a double click sets
  onWidth: (width: number) => void;
}

/** Splitter is a divider between two of three parts. Drag it, or use the arrow keys. */
export function Splitter({ side, label, width, initial, onWidth }: SplitterProps) {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const panes = element.current?.parentElement;
    panes?.style.setProperty(side === 0 ? "--left" : "--right", `${(width * 100).toFixed(2)}%`);
  }, [width, side]);

  const set = (to: number) => onWidth(Math.min(max, Math.max(min, to)));

  const drag = (event: PointerEvent) => {
    const box = element.current?.parentElement?.getBoundingClientRect();
    if (!box || !element.current?.hasPointerCapture(event.pointerId)) return;
    set(side === 0 ? (event.clientX - box.left) / box.width : (box.right - event.clientX) / box.width);
  };

  const press = (event: KeyboardEvent) => {
    const towards = side === 0 ? 1 : -1;
    const moves: Record<string, number> = {
      ArrowRight: width + towards * step, ArrowLeft: width - towards * step, Home: min, End: max,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  };

  return (
    <div
      ref={element}
      class={`splitter splitter-${side}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(width * 100)}
      aria-valuemin={min * 100}
      aria-valuemax={max * 100}
      onPointerDown={(e) => element.current?.setPointerCapture(e.pointerId)}
      onPointerMove={drag}
      onDblClick={() => set(initial)}
      onKeyDown={press}
    />
  );
}
