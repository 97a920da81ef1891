import { useLayoutEffect, useRef } from "preact/hooks";
import { choose, settings } from "../settings/settings";

const step = 0.02;
const min = 0.16;
const max = 0.5;

/** Splitter is a divider: 0 sets the statement's width, 1 the result's. Drag it, or use the arrow keys. */
export function Splitter({ side, label }: { side: 0 | 1; label: string }) {
  const element = useRef<HTMLDivElement>(null);
  const width = settings.value.split[side];

  useLayoutEffect(() => {
    const panes = element.current?.parentElement;
    panes?.style.setProperty(side === 0 ? "--left" : "--right", `${(width * 100).toFixed(2)}%`);
  }, [width, side]);

  const set = (to: number) => {
    const split: [number, number] = [...settings.peek().split];
    split[side] = Math.min(max, Math.max(min, to));
    choose({ split });
  };

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
      onDblClick={() => set(0.31)}
      onKeyDown={press}
    />
  );
}
