import { d } from "../i18n/document";
import { made, pointed } from "../run/pointed";
import { running } from "../run/runs";
import { doc } from "../document/workspace";

/** PointedView says what the link points at that was opened, as long as the document has not made it. */
export default function PointedView() {
  const words = d.value;
  const of = pointed.value;
  if (!of || of.doc !== doc.value) return null;
  const { test = 0, program, all, step = -1 } = of.look ?? {};
  const parts = [
    words.pointedLaunch(test),
    all && words.pointedAll,
    program && !all && words.pointedProgram(`(${program.join(", ")})`),
    step >= 0 && words.pointedStep(step + 1),
  ].filter((part) => typeof part === "string");
  const count = running.value ? 0 : made(of).length;
  const rest = count ? words.pointedMissing(count) : words.pointedRun;
  return <p class="pointed" role="status" id="pointed">{words.pointedAt(parts)} {rest}</p>;
}
