import { useRef, useState } from "preact/hooks";
import { doc } from "../document/workspace";
import { q } from "../i18n/questions";
import { choose } from "../settings/settings";
import { Icon } from "../ui/icons";
import { Phrase } from "../ui/phrase-view";
import { remember, wasAsked } from "./asked";
import { type Facts, type Kind, kinds, type Question, type Said } from "./table";

/** QuestionCard shows the question of a kind where it applies: a line, until somebody wants to answer it. */
export default function QuestionCard<K extends Kind>({ kind, facts }: { kind: K; facts: Facts<K> }) {
  const make = kinds[kind] as (facts: Facts<K>) => Question | undefined;
  const question = make(facts);
  return question ? <Card key={`${doc.value} ${question.id}`} kind={kind} question={question} /> : null;
}

function Card({ kind, question: { id, text, begin, answer } }: { kind: Kind; question: Question }) {
  const words = q.value;
  const [here, setHere] = useState(() => !wasAsked(id));
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState<Said | undefined>(undefined);
  const card = useRef<HTMLElement>(null);
  const over = said?.kind === "right" || said?.kind === "shown";
  if (!here) return null;
  const say = (now: Said) => {
    setSaid(now);
    if (now.kind === "right" || now.kind === "shown") remember(id);
  };
  const leave = () => {
    card.current?.closest<HTMLElement>("[tabindex='-1']")?.focus({ preventScroll: true });
    remember(id);
    setHere(false);
  };
  const none = () => {
    leave();
    choose({ questions: false });
  };
  const label = over ? words.close : words.notNow;
  return (
    <section class="question" ref={card} data-question={kind} data-said={said?.kind} aria-label={words.title}>
      <p class="question-text"><Phrase text={text} /></p>
      <p class="question-said" role="status">{said && <Phrase text={said.text} />}</p>
      {!over && answer({ open, said, say })}
      <div class="question-foot">
        {!open && <button type="button" class="quiet question-begin" onClick={() => setOpen(true)}>{begin}</button>}
        {!open && <button type="button" class="link question-none" onClick={none}>{words.none}</button>}
      </div>
      <button type="button" class="tool question-close" aria-label={label} title={label} onClick={leave}><Icon name="close" /></button>
    </section>
  );
}
