import type { ComponentChildren } from "preact";
import type { Counterexample, Finding, Fix, Proof, ProvedAccess } from "../gen/api";
import { f } from "../i18n/findings";
import { m } from "../i18n/memory";
import { sentence } from "../lib/format";
import { problems } from "../run/checks";
import { pick } from "../run/choice";
import { openLaunch } from "../run/launch";
import { editor } from "../state/view";
import { Icon } from "../ui/icons";
import { Phrase } from "../ui/phrase-view";
import { fresh } from "./findings";

/**
 * Refuted are the accesses that leave their tensors at other sizes, each with the smallest launch in which it does. What a
 * finding or a problem says already is not said again.
 */
export function Refuted({ proof: { accesses }, findings }: { proof: Proof; findings: readonly Finding[] }) {
  const known = [...problems.value, ...findings.map((of) => of.diagnostic)];
  const isFound = ({ line }: ProvedAccess) => known.some((d) => d.line === line && d.code.startsWith("out-of-bounds"));
  const list = accesses.filter(isRefuted).filter((of) => !isFound(of));
  if (!list.length) return null;
  return <ul class="proofs">{list.map((of, i) => <Row key={i} level="refuted" text={`${m.value.line(of.line)}: ${of.counterexample.text}`}><Example example={of.counterexample} /></Row>)}</ul>;
}

/** Proved is what is proved of the accesses, and that programs do not race, in the order of the code: a line until it is opened. */
export function Proved({ proof: { accesses, tensors, limits, overflows } }: { proof: Proof }) {
  const list = [...accesses.filter((of) => !isRefuted(of)), ...tensors];
  const proved = list.filter(({ level }) => level !== "no").length;
  if (!list.length) return null;
  return (
    <details class="checks">
      <summary><Icon name="right" />{f.value.checks} <span class={proved ? "proof-size" : ""}><Icon name={proved ? "check" : "help"} /></span>{f.value.provedOf(proved, list.length)}</summary>
      <ul class="proofs">
        {list.map(({ level, text }, i) => <Row key={i} level={level} text={text} />)}
        {overflows.map(({ text, diagnostic }, i) => <Row key={i} level="no" text={text}><Widen fix={diagnostic.fixes[0]} /></Row>)}
      </ul>
      <p class="fine">{limits}</p>
    </details>
  );
}

function isRefuted(of: ProvedAccess): of is ProvedAccess & { counterexample: Counterexample } {
  return of.counterexample !== undefined;
}

function Row({ level, text, children }: { level: string; text: string; children?: ComponentChildren }) {
  return (
    <li class={`proof proof-${level}`}>
      <Icon name={level === "refuted" ? "cross" : level === "no" ? "help" : "check"} />
      <span><Phrase text={sentence(text)} />{children}</span>
    </li>
  );
}

/** Widen makes an integer that wraps at larger sizes wider. */
function Widen({ fix }: { fix: Fix | undefined }) {
  return fix && <>{" "}<button type="button" class="link" disabled={!fresh.value} onClick={() => editor.peek()?.apply(fix)}>{fix.title}</button></>;
}

/** Example is the smallest launch in which the access leaves its tensor. */
function Example({ example: { launch, program, sizes } }: { example: Counterexample }) {
  const open = () => {
    if (launch) openLaunch(launch, sizes);
    pick({ all: false, program, step: "problem" });
  };
  return (
    <>
      {" "}{launch && <button type="button" class="link" onClick={open}>{f.value.open(sizes)}</button>}
    </>
  );
}
