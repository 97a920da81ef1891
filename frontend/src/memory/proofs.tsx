import type { Counterexample } from "../gen/api";
import { f } from "../i18n/findings";
import { sentence } from "../lib/format";
import { pick } from "../run/choice";
import { openLaunch } from "../run/launch";
import { Icon } from "../ui/icons";
import { Phrase } from "../ui/phrase-view";
import { checked, fresh } from "./findings";
import { current } from "./stage";

/** Proofs are what is proved of the accesses to a tensor, and that programs do not race on it, in the order of the code. */
export default function Proofs({ tensor }: { tensor: number }) {
  const proof = fresh.value ? checked.value?.reply?.proof : undefined;
  const about = <T extends { tensor: number }>(list: readonly T[] = []) => list.filter((of) => of.tensor === tensor);
  const [accesses, races] = [about(proof?.accesses), about(proof?.tensors)];
  if (!accesses.length && !races.length) return null;
  return (
    <ul class="proofs" aria-label={f.value.proofs(current.value?.inspected.tensors[tensor]?.name ?? "")}>
      {accesses.map(({ level, text, counterexample }, i) => <Proof key={i} level={level} text={text} example={counterexample} />)}
      {races.map(({ level, text }, i) => <Proof key={i} level={level} text={text} example={undefined} />)}
    </ul>
  );
}

function Proof({ level, text, example }: { level: string; text: string; example: Counterexample | undefined }) {
  return (
    <li class={`proof proof-${example ? "refuted" : level}`}>
      <Icon name={example ? "cross" : level === "no" ? "help" : "check"} />
      <span><Phrase text={sentence(text)} />{example && <Example example={example} />}</span>
    </li>
  );
}

/** Example is the smallest launch in which the access leaves its tensor. */
function Example({ example: { launch, program, sizes, text } }: { example: Counterexample }) {
  const open = () => {
    if (launch) openLaunch(launch, sizes);
    pick({ all: false, program, step: "problem" });
  };
  return (
    <>
      ; <Phrase text={text} />{" "}
      {launch && <button type="button" class="link" onClick={open}>{f.value.open(sizes)}</button>}
    </>
  );
}
