import type { Verdict } from "../gen/api";
import type { Table } from "../i18n/table";
import { sentence } from "../lib/format";
import type { Result } from "../run/result";

/** outcomeText describes the outcome of a run: the verdict, and the reason if something failed. */
export function outcomeText({ fault, verdict, free, cells, diagnostics }: Result, words: Table): string {
  if (fault) return words.faults[fault.reason];
  const message = (verdict ?? free)?.message ?? (cells ? words.cellsRan(cells.ran, cells.failed) : "");
  const error = diagnostics.find((d) => d.severity === "error");
  const why = error ? `${words.line(error.line)}: ${error.headline}` : verdict && failedTest(verdict, words);
  return [message, why && sentence(why)].filter(Boolean).join(" ").replaceAll("`", "");
}

/** failedTest names the first test that failed, with the reason. */
function failedTest({ classic, strict, tests }: Verdict, words: Table): string {
  const cases = [...classic.cases, ...strict.cases];
  const failed = cases.findIndex((c) => !c.pass);
  const { name = "", detail } = cases[failed] ?? {};
  return failed < 0 ? "" : `${words.testName(failed + 1, tests, name)}: ${detail?.message ?? ""}`;
}
