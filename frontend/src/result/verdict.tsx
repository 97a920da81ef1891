import { Icon } from "../app/icons";
import type { Check, Verdict } from "../gen/api";
import { t } from "../i18n/table";
import { duration } from "../lib/format";
import { Phrase } from "../lib/phrase-view";
import { finished } from "../state/runs";
import { NextPuzzle } from "./next-puzzle";
import { CaseView } from "./case";
import { Prints } from "./prints";
import { Problems } from "./problems";

type Outcome = "pass" | "passPartly" | "fail" | "notRun";

/** VerdictView: right or not in a word and a sentence, the two checks, and what failed where. */
export function VerdictView({ verdict }: { verdict: Verdict }) {
  const words = t.value;
  const outcome = outcomeOf(verdict);
  return (
    <>
      <div class={`verdict verdict-${outcome}`} id="verdict" data-pass={verdict.pass} key={finished.value}>
        <h2><Icon name={verdict.pass ? "check" : "cross"} />{words[outcome]}</h2>
        <p><Phrase text={verdict.message} /></p>
        {verdict.pass && <NextPuzzle number={verdict.puzzle + 1} />}
      </div>
      <Problems />
      <CheckView check={verdict.classic} title={words.classicCheck} why={words.classicWhy} />
      <CheckView check={verdict.strict} title={words.strictCheck} why={words.strictCheckWhy} />
      <Prints prints={verdict.prints} />
      <p class="timing">{words.timing(duration(verdict.compileMs), duration(verdict.runMs))}</p>
    </>
  );
}

/** outcomeOf sums a verdict up in one word. */
export function outcomeOf({ pass, classic, strict }: Verdict): Outcome {
  if (pass) return "pass";
  if (!classic.ran && !strict.ran) return "notRun";
  return classic.pass ? "passPartly" : "fail";
}

function CheckView({ check, title, why }: { check: Check; title: string; why: string }) {
  const words = t.value;
  const state = !check.ran ? "notRun" : check.pass ? "pass" : "fail";
  const passed = check.cases.filter((c) => c.pass).length;
  const firstFailing = check.cases.findIndex((c) => !c.pass);
  return (
    <section class={`check check-${state}`} data-check={state}>
      <header>
        <span class={`sign sign-${state}`} aria-hidden="true">{state === "notRun" ? "–" : <Icon name={state === "pass" ? "check" : "cross"} />}</span>
        <h3>{title} <span class="state">{words.checkState[state]}</span></h3>
        {check.ran && check.cases.length > 1 && <span class="count">{words.casesPassed(passed, check.cases.length)}</span>}
        <p>{why}</p>
      </header>
      {check.ran && check.cases.map((c, i) => <CaseView key={i} result={c} open={i === firstFailing} />)}
    </section>
  );
}
