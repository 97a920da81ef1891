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

/** VerdictView: right or not in a sentence, the two checks, and what failed where. */
export function VerdictView({ verdict }: { verdict: Verdict }) {
  const words = t.value;
  return (
    <>
      <div class={`verdict verdict-${outcomeOf(verdict)}`} id="verdict" data-pass={verdict.pass} key={finished.value}>
        <h2><Icon name={verdict.pass ? "check" : "cross"} /><span><Phrase text={verdict.message} /></span></h2>
        {verdict.pass && verdict.puzzle > 0 && <NextPuzzle number={verdict.puzzle + 1} />}
      </div>
      <Problems />
      <CheckView check={verdict.classic} title={words.classicCheck} why={words.classicWhy} />
      <CheckView check={verdict.strict} title={words.strictCheck} why={words.strictCheckWhy} quiet={!verdict.classic.pass} />
      <Prints prints={verdict.prints} />
      <p class="timing">{words.timing(duration(verdict.compileMs), duration(verdict.runMs))}</p>
    </>
  );
}

function outcomeOf({ pass, classic }: Verdict): "pass" | "partly" | "fail" {
  if (pass) return "pass";
  return classic.pass ? "partly" : "fail";
}

/** CheckView is one check with its launches; the first that failed is open, unless quiet. */
function CheckView({ check, title, why, quiet = false }: { check: Check; title: string; why: string; quiet?: boolean }) {
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
      {check.ran && check.cases.map((c, i) => <CaseView key={i} result={c} open={!quiet && i === firstFailing} />)}
    </section>
  );
}
