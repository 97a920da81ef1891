import type { Element } from "../gen/api";
import { t } from "../i18n/table";
import { programText, shapeText } from "../lib/format";

/** Elements is the table of the first wrong elements; onWhy, where given, asks where one of them comes from. */
export function Elements({ elements, onWhy }: { elements: Element[]; onWhy?: ((index: number[]) => void) | undefined }) {
  const words = t.value;
  if (!elements.length) return null;
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={words.firstWrong}>
      <table class="elements">
        <caption>{words.firstWrong}</caption>
        <thead>
          <tr>
            <th scope="col">{words.colIndex}</th>
            <th scope="col">{words.colGot}</th>
            <th scope="col">{words.colWant}</th>
            <th scope="col">{words.colProgram}</th>
          </tr>
        </thead>
        <tbody>
          {elements.map((e) => (
            <tr key={e.index.join()}>
              <th scope="row">{shapeText(e.index)}</th>
              <td class="bad">{e.program ? e.got : words.unwritten}</td>
              <td>{e.want}</td>
              <td class="writer">
                {e.program ? words.program(programText(e.program)) : words.programNone}{" "}
                {onWhy && <button type="button" class="link" aria-label={words.whyOf(shapeText(e.index))} onClick={() => onWhy(e.index)}>{words.why}</button>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
