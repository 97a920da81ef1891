import type { ComponentChildren } from "preact";
import { puzzle } from "../document/workspace";
import { Icon } from "../ui/icons";
import type { Verdict } from "../gen/api";
import { partFailed, t } from "../i18n/table";
import { duration } from "../lib/format";
import { lazy } from "../ui/lazy";
import { Phrase } from "../ui/phrase-view";
import { finished } from "../run/runs";
import { Learned } from "../statement/learned";
import { NextPuzzle } from "./next-puzzle";
import { CaseView } from "./case";
import { Prints } from "./prints";

const Beside = lazy(() => import("./beside"), partFailed);
const LadderView = lazy(() => import("./ladder"), partFailed);
const Mistake = lazy(() => import("./mistake"), partFailed);
const OtherSizes = lazy(() => import("./other-sizes"), partFailed);

/** VerdictView: right or not in a sentence, then the tests. Children follow the sentence. */
export function VerdictView({ verdict, children }: { verdict: Verdict; children: ComponentChildren }) {
  const words = t.value;
  const goals = puzzle.value?.goals;
  return (
    <>
      <div class={`verdict verdict-${outcomeOf(verdict)}`} id="verdict" data-pass={verdict.pass} key={finished.value}>
        <h2><Icon name={verdict.pass ? "check" : "cross"} /><span><Phrase text={verdict.message} /></span></h2>
        {verdict.pass && <OtherSizes wanted />}
        {!verdict.pass && puzzle.value && <div class="mistake"><Mistake wanted /></div>}
        {verdict.pass && puzzle.value && !goals && <NextPuzzle />}
      </div>
      {verdict.pass && goals && <LadderView wanted />}
      {verdict.pass && puzzle.value && !goals && <><Learned puzzle={puzzle.value} /><Beside wanted /></>}
      {children}
      <Tests verdict={verdict} />
      <Prints prints={verdict.prints} />
      {verdict.classic.cases.length > 0 && <p class="timing">{words.timing(duration(verdict.compileMs), duration(verdict.runMs))}</p>}
    </>
  );
}

/** outcomeOf classifies a verdict; "partly" means that it passes but for the strict test. */
export function outcomeOf({ pass, classic }: Verdict): "pass" | "partly" | "fail" {
  if (pass) return "pass";
  return classic.pass ? "partly" : "fail";
}

/** Tests lists the tests that ran. One is open: the first that failed, or else the first. */
function Tests({ verdict: { classic, strict, tests } }: { verdict: Verdict }) {
  const words = t.value;
  const cases = [...classic.cases, ...strict.cases];
  if (!cases.length) return null;
  const shown = Math.max(0, cases.findIndex((c) => !c.pass));
  return (
    <section class="tests">
      <header><h3>{words.tests}</h3><span class="count">{words.testsPassed(cases.filter((c) => c.pass).length, tests)}</span></header>
      {cases.map((c, i) => <CaseView key={i} result={c} test={i} name={words.testName(i + 1, tests, c.name)} open={i === shown} />)}
      {cases.length < tests && <p class="fine">{words.testsNotRun(tests - cases.length)}</p>}
      <p class="fine">{words.testsWhy}</p>
    </section>
  );
}
