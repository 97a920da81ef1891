import { useMemo } from "preact/hooks";
import { m } from "../i18n/memory";
import { gridOf } from "../lib/tensor";
import { ValueGrid } from "../result/value-grid";
import { pick } from "../run/choice";
import { Icon } from "../ui/icons";
import { blockOf, type Operation } from "./inspected";

/** Block is the whole value of a step. */
export default function Block({ step }: { step: Operation }) {
  const words = m.value;
  const made = useMemo(() => {
    const view = blockOf(step);
    return view && { view, grid: gridOf(view, step.values) };
  }, [step]);
  if (!made) return null;
  return (
    <section class="memory-block">
      <button
        type="button" class="tool" aria-label={words.closeBlock} title={words.closeBlock} onClick={() => pick({ block: undefined })}
      >
        <Icon name="close" />
      </button>
      <ValueGrid
        view={made.view} sentence={words.block(made.view.name, step.type ?? "")}
        pictures={[{ label: words.value, grid: made.grid, range: made.grid.range }]}
      />
    </section>
  );
}
