import { useState } from "preact/hooks";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { lang } from "../settings/settings";
import { type Mine, mine, remove } from "./mine";

/** MineList lists the short links made in this browser, and deletes them. */
export function MineList() {
  const words = t.value;
  return (
    <details class="mine">
      <summary>{words.myLinks(mine.value.length)}</summary>
      <ul>{mine.value.map((link) => <Row key={link.id} link={link} />)}</ul>
    </details>
  );
}

function Row({ link }: { link: Mine }) {
  const words = t.value;
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const day = (ms: number) => new Date(ms).toLocaleDateString(lang.value, { dateStyle: "medium" });
  const expires = link.expires && words.expires(day(Date.parse(link.expires)));

  const erase = async () => {
    setBusy(true);
    const failed = await remove(link);
    setBusy(false);
    setProblem(failed?.problem ?? "");
  };

  return (
    <li>
      <span><b>{link.title}</b> {/^https?:/.test(link.url) && <a href={link.url}>/s/{link.id}</a>}</span>
      <span class="fine">{[day(link.made), expires].filter(Boolean).join(" · ")}</span>
      <button type="button" class="quiet" disabled={busy} aria-label={`${words.deleteLink}: ${link.title} ${link.id}`} onClick={() => void erase()}>{words.deleteLink}</button>
      {problem && <span class="bad" role="alert"><Phrase text={sentence(problem)} /></span>}
    </li>
  );
}
