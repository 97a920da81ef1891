import type { Verdict } from "../gen/api";
import type { Table } from "../i18n/table";
import { sentence } from "../lib/format";
import type { Result } from "../run/result";

/** outcomeText describes the outcome of a run: the verdict, and the reason if something failed. */
export function outcomeText({ fault, verdict, free, cells, diagnostics }: Result, words: Table): string {
  if (fault) return words.faults[fault.reason];
  const message = (verdict ?? free)?.message ?? (cells ? words.cellsRan(cells.ran, cells.failed) : "");
  // What another test's launch has is not why the first one fails.
  const failed = verdict ? firstFailed(verdict) + 1 : 0;
  const error = diagnostics.find((d) => d.severity === "error" && (d.test ?? failed) === failed);
  const why = error ? `${words.line(error.line)}: ${error.headline}` : verdict && failedTest(verdict, words);
  return [message, why && sentence(why)].filter(Boolean).join(" ").replaceAll("`", "");
}

/** failedTest names the first test that failed, with the reason. */
function failedTest({ classic, strict, tests }: Verdict, words: Table): string {
  const failed = firstFailed({ classic, strict });
  const { name = "", detail } = [...classic.cases, ...strict.cases][failed] ?? {};
  return failed < 0 ? "" : `${words.testName(failed + 1, tests, name)}: ${detail?.message ?? ""}`;
}

/** firstFailed is the number of the first test that failed, from 0, or -1. */
const firstFailed = ({ classic, strict }: Pick<Verdict, "classic" | "strict">) => [...classic.cases, ...strict.cases].findIndex((c) => !c.pass);
