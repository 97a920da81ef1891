import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { doc, replaceAll } from "../document/workspace";
import { q } from "../i18n/questions";
import { t } from "../i18n/table";
import { choose } from "../settings/settings";
import { pane } from "../state/view";
import { Icon } from "../ui/icons";
import { Phrase } from "../ui/phrase-view";
import { remember, wasAsked } from "./asked";
import { type Asking, type Kind, kinds, type Question, type Said } from "./table";

/** QuestionCard shows the question of a kind where it applies: a line, until somebody wants to answer it. */
export default function QuestionCard({ kind, facts }: Asking) {
  const ask = kinds[kind] as (facts: Asking["facts"]) => Question | undefined;
  const question = ask(facts);
  return question ? <Card key={`${doc.value} ${question.id}`} kind={kind} question={question} /> : null;
}

function Card({ kind, question: { id, text, begin, answer, solve } }: { kind: Kind; question: Question }) {
  const words = q.value;
  const [here, setHere] = useState(() => !wasAsked(id));
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState<Said | undefined>(undefined);
  const card = useRef<HTMLElement>(null);
  const over = said?.kind === "right" || said?.kind === "shown";
  useLayoutEffect(() => { // what had the focus may be gone
    if (open && document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [open, over]);
  const say = (now: Said) => {
    setSaid(now);
    if (now.kind === "right" || now.kind === "shown") remember(id);
  };
  const paneOf = () => card.current?.parentElement?.closest<HTMLElement>("[tabindex='-1']");
  const leave = (then: () => void) => {
    paneOf()?.focus({ preventScroll: true });
    then();
  };
  const dismiss = () => {
    remember(id);
    setHere(false);
  };
  useEffect(() => { // of the pane: what answers a question may be a picture beside it
    const pane = paneOf() ?? card.current;
    const escape = (event: KeyboardEvent) => {
      const isMeant = open || card.current?.contains(event.target as Node);
      if (event.key === "Escape" && !event.defaultPrevented && isMeant) leave(dismiss);
    };
    pane?.addEventListener("keydown", escape);
    return () => pane?.removeEventListener("keydown", escape);
  }, [open, here]);
  if (!here) return null;
  const label = over ? words.close : words.notNow;
  return (
    <section class="question" ref={card} tabIndex={-1} data-question={kind} data-said={said?.kind} aria-label={words.title}>
      <p class="question-text"><Phrase text={text} /></p>
      {answer({ open, said, say })}
      <p class="question-said" role="status">{said && <Phrase text={said.text} />}</p>
      {said?.code && <pre tabIndex={0} aria-label={words.code}>{said.code}</pre>}
      <div class="question-foot">
        {!open && <button type="button" class="quiet question-begin" onClick={() => setOpen(true)}>{begin}</button>}
        {!open && <button type="button" class="link question-none" onClick={() => leave(() => choose({ questions: false }))}>{words.none}</button>}
        {solve && said?.kind === "wrong" && <button type="button" class="quiet question-show" onClick={() => say(solve())}>{words.show}</button>}
        {said?.kernel && <button type="button" class="quiet question-put" onClick={() => put(said.kernel ?? "")}>{t.value.putIntoEditor}</button>}
      </div>
      <button type="button" class="tool question-close" aria-label={label} title={label} onClick={() => leave(dismiss)}><Icon name="close" /></button>
    </section>
  );
}

function put(kernel: string): void {
  replaceAll(kernel);
  pane.value = "editor";
}
