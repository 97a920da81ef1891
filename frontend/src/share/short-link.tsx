import { useState } from "preact/hooks";
import { t } from "../i18n/table";
import { Phrase } from "../ui/phrase-view";
import { sentence } from "../lib/format";
import { puzzle, route } from "../document/workspace";
import { LinkField } from "./link-field";
import { remember } from "./mine";
import { makeShort, type Made } from "./service";

/** How many days a short link may live; 0 is until somebody deletes it. */
const lives = [0, 1, 7, 30, 365];

/** ShortLink stores the link on this site when it is asked to, and then shows its address and the key that deletes it. */
export function ShortLink({ payload }: { payload: string }) {
  const words = t.value;
  const [days, setDays] = useState(0);
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<Made | undefined>(undefined);
  const [problem, setProblem] = useState("");

  const make = async () => {
    setBusy(true);
    const reply = await makeShort(payload, days);
    setBusy(false);
    setProblem("problem" in reply ? reply.problem : "");
    if ("problem" in reply) return;
    remember(reply, puzzle.peek()?.title ?? (route.peek().page === "document" ? t.peek().documentPage : t.peek().freePage));
    setMade(reply);
  };

  if (made) return <Short made={made} />;
  return (
    <>
      <p>{words.shortLinkWhat(location.host)}</p>
      <p class="short-link">
        <label class="field"><span>{words.shortLinkLife}</span>
          <select value={days} onChange={(e) => setDays(Number(e.currentTarget.value))}>
            {lives.map((n) => <option key={n} value={n}>{words.days(n)}</option>)}
          </select>
        </label>
        <button type="button" class="quiet" id="make-short" disabled={busy} onClick={() => void make()}>{busy ? words.shortLinkMaking : words.shortLinkMake}</button>
      </p>
      {problem && <p class="fault" role="alert"><Phrase text={sentence(problem)} /></p>}
    </>
  );
}

function Short({ made }: { made: Made }) {
  const words = t.value;
  return (
    <div id="short">
      <LinkField label={words.shortLink} url={made.url} copyAtOnce />
      {made.key
        ? <p class="deletion">{words.deletionKey} <code>{made.key}</code><br /><span class="fine">{words.deletionKeyFine}</span></p>
        : <p class="fine">{words.shortLinkThere}</p>}
    </div>
  );
}
