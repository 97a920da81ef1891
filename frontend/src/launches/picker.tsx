import { route } from "../document/workspace";
import { m } from "../i18n/memory";
import { pick } from "../run/choice";
import { choose, chosen, launches } from "../run/launches";
import { maxListed } from "../run/listed";
import { busy } from "../run/runs";
import { labels } from "./label";

/**
 * Launches chooses which of a document's launches the views show: the last one, until a person chooses another. Views that
 * show nothing else of a launch name it where it is the only one, too.
 */
export default function Launches({ always = false }: { always?: boolean }) {
  const list = launches.value.slice(-maxListed);
  if (route.value.page !== "document" || list.length < (always ? 1 : 2)) return null;
  const change = (number: number) => {
    pick({ program: undefined, step: "last", block: undefined });
    choose(number);
  };
  return (
    <label class="memory-test">
      <span class="memory-label">{m.value.launch}</span>
      <select
        id="memory-launch" value={(chosen.value ?? list.at(-1))?.number} disabled={busy.value}
        onChange={(e) => change(Number(e.currentTarget.value))}
      >
        {labels(list).map((label, i) => <option key={label} value={list[i]?.number}>{label}</option>)}
      </select>
    </label>
  );
}
