import { route } from "../document/workspace";
import { m } from "../i18n/memory";
import { launchText } from "../lib/format";
import { sessionName } from "../run/cells";
import { pick } from "../run/choice";
import { choose, chosen, launches } from "../run/launches";
import { maxListed } from "../run/listed";
import { busy } from "../run/runs";

/** Launches chooses which of a document's launches is shown: the last one, until a person chooses another. */
export function Launches() {
  const words = m.value;
  const list = launches.value;
  if (route.value.page !== "document" || list.length < 2) return null;
  const change = (number: number) => {
    pick({ program: undefined, step: "last", block: undefined });
    void choose(sessionName(), number);
  };
  return (
    <label class="memory-test">
      <span class="memory-label">{words.launch}</span>
      <select
        id="memory-launch" value={chosen.value?.number ?? list.at(-1)?.number} disabled={busy.value}
        onChange={(e) => change(Number(e.currentTarget.value))}
      >
        {list.slice(-maxListed).map(({ number, kernel, grid }) => (
          <option key={number} value={number}>{`${number}: ${kernel}[${launchText(grid)}]`}</option>
        ))}
      </select>
    </label>
  );
}
