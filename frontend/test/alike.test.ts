import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cwd } from "node:process";
import { test } from "node:test";
import { mostAlike } from "../src/lib/alike";

const puzzles = join(cwd(), "..", "..", "puzzles"); // tests run in frontend/build
const read = (...path: string[]) => readFileSync(join(puzzles, ...path), "utf8");
const folders = readdirSync(puzzles).filter((name) => /^\d+_/.test(name));
const solutionsOf = (folder: string) => readdirSync(join(puzzles, folder)).filter((name) => name.startsWith("solution")).sort();

/** rewritten is a kernel with other names, other spacing and no comments, as somebody else would have written it. */
function rewritten(source: string): string {
  const names = [...source.matchAll(/^ +(?:for )?(\w+)(?= (?:\+?=|in) )/gm)].map(([, name = ""]) => name);
  const uses = (name: string) => new RegExp(`(?<![\\w.])${name}(?![\\w(]|=[^=])`, "g"); // not what is called, nor an argument's name
  const renamed = [...new Set(names)].reduce((text, name, i) => text.replace(uses(name), `mine_${i}`), source);
  return renamed.replace(/ *#.*/g, "").replace(/ ([-+*/]) /g, "$1");
}

test("a solution that somebody has written in his own style is most like that solution", () => {
  let several = 0;
  for (const folder of folders) {
    const sources = solutionsOf(folder).map((name) => read(folder, name));
    if (sources.length > 1) several++;
    sources.forEach((source, i) => {
      assert.notEqual(rewritten(source), source);
      assert.equal(mostAlike(rewritten(source), sources), i, `${folder}: ${solutionsOf(folder)[i]}`);
    });
  }
  assert.ok(several >= 12);
});

test("answers of other people are most like the solution that does it their way", () => {
  const answers = join("..", "wasm", "api", "testdata", "answers");
  const ways: Record<string, string> = {
    "01_masked.py": "mask", "01_unmasked.py": "", "02_pointers.py": "", "03_unmasked.py": "", "04_expand_dims.py": "", "05_maximum.py": "maximum",
    "05_rows.py": "", "07_one_row.py": "", "07_sum_at_the_end.py": "late", "07_while.py": "", "08_one_row.py": "two_loops", "09_helper.py": "",
    "10_scalars.py": "", "10_windows.py": "", "12_whole_rows.py": "",
  };
  for (const [answer, way] of Object.entries(ways)) {
    const folder = folders.find((name) => name.startsWith(answer.replace(/_.*/, "_"))) ?? "";
    const names = solutionsOf(folder);
    assert.equal(names[mostAlike(read(answers, answer), names.map((name) => read(folder, name)))], `solution${way && "_"}${way}.py`, answer);
  }
});
