import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";
import { t } from "../i18n/table";
import { sentence, size } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { siblings } from "../document/siblings";
import { doc, puzzle, route } from "../document/workspace";
import { LinkField } from "./link-field";
import { mine } from "./mine";
import { MineList } from "./mine-list";
import { makeLink, type Outgoing, shareable, shareOpen } from "./outgoing";
import { ShortLink } from "./short-link";

/** ShareDialog: the link that holds everything itself, the short one on this site, and those made before. */
export default function ShareDialog() {
  return (
    <Dialog open={shareOpen.value} title={t.value.shareTitle} close={t.value.close} class="share-dialog" onClose={() => (shareOpen.value = false)}>
      <Share key={doc.value} />
    </Dialog>
  );
}

function Share() {
  const words = t.value;
  const [withResults, setWithResults] = useState(false);
  const [made, setMade] = useState<Outgoing | { problem: string } | undefined>(undefined);

  useEffect(() => {
    let late = false;
    void makeLink(withResults).then((link) => {
      if (!late) setMade(link);
    });
    return () => {
      late = true;
    };
  }, [withResults]);

  const link = made && "url" in made ? made : undefined;
  const inDocument = route.value.page === "document";
  const holds = inDocument ? words.shareHoldsDocument(link?.files ?? siblings.value.length) : puzzle.value?.own ? words.shareHoldsOwn : words.shareHolds;
  return (
    <>
      <p>{holds}</p>
      {link && link.left.length > 0 && <p class="fault" id="left-out" role="alert">{words.shareLeftOut(link.left.map(({ name, bytes }) => `${name} (${size(bytes.length)})`).join(", "))}</p>}
      {made && "problem" in made
        ? <p class="fault" role="alert"><Phrase text={sentence(made.problem)} /></p>
        : link && !link.url
          ? <p id="too-long">{words.wholeLinkLong(size(link.payload.length), size(link.most))}</p>
          : <LinkField label={words.wholeLink} url={link?.url ?? ""} copyAtOnce note={link ? size(link.url.length) : ""} />}
      <label class="switch">
        <input type="checkbox" checked={withResults} disabled={!shareable.value} onChange={(e) => setWithResults(e.currentTarget.checked)} />
        {shareable.value ? words.withResults : words.withResultsFirst}
      </label>
      {link?.url !== "" && <p class="fine">{words.wholeLinkPrivacy}</p>}
      <h3>{words.shortLink}</h3>
      {link && <ShortLink key={link.payload} payload={link.payload} />}
      {mine.value.length > 0 && <MineList />}
    </>
  );
}
