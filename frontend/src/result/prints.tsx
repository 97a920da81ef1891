import { editor, pane } from "../state/view";
import type { Print } from "../gen/api";
import { t } from "../i18n/table";
import { programText } from "../lib/format";

/** Prints lists what the kernel printed; each line leads to where it was printed. */
export function Prints({ prints }: { prints: Print[] }) {
  const words = t.value;
  if (!prints.length) return null;
  const reveal = (line: number) => {
    pane.value = "editor";
    editor.peek()?.goToLine(line);
  };
  return (
    <section class="prints">
      <h3>{words.prints}</h3>
      <ol>
        {prints.map((p, i) => (
          <li key={i}>
            <button type="button" class="link" onClick={() => reveal(p.line)}>{words.printAt(programText(p.program), p.line)}</button>
            <pre>{p.text}</pre>
          </li>
        ))}
      </ol>
    </section>
  );
}
