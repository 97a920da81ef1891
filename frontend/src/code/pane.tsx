import { useEffect, useMemo } from "preact/hooks";
import type { Line } from "../gen/code";
import { targets } from "../gen/targets";
import { compiler, compilerFailed } from "../engine/compiler";
import { d } from "../i18n/device";
import { g } from "../i18n/stages";
import { t } from "../i18n/table";
import { duration, sentences, size } from "../lib/format";
import { ptxWords } from "../lib/ptx-words";
import { Phrase } from "../ui/phrase-view";
import { base, stage, type Target, target, unchecked } from "../run/code-choice";
import { type OnDevice, withPTX } from "../run/runs";
import { lang } from "../settings/settings";
import { editor, view } from "../state/view";
import { code, type Code, watchCode } from "./compile";
import Difference from "./difference";
import { Layouts } from "./layouts";
import { LensView } from "./lens-view";
import { CodeLines } from "./lines";
import Launches from "../launches/picker";
import { watchPointer } from "./pointing";
import { runLines } from "./run-lines";
import { SASS } from "./sass";
import { StageChoice } from "./stages";

/** CodePane shows the PTX, the layouts or the costs of the kernel, linked with the text. */
export default function CodePane() {
  useEffect(watchCode, []);
  const edited = editor.value?.view;
  useEffect(() => edited && watchPointer(edited), [edited]);
  const more = d.value;
  const run = withPTX.value;
  const ofRun = view.value === "ptx" && target.value === "run" && run;
  const isSASS = view.value === "ptx" && !ofRun && stage.value === "sass"; // which the runner chooses a target for
  useEffect(() => {
    if (target.value === "run" && !ofRun) target.value = targets[0];
  }, [target.value, ofRun]);
  return (
    <div class="code" id={`view-${view.value}`} role="tabpanel" aria-labelledby={`tab-${view.value}`}>
      <div class="code-head">
        {!ofRun && <Launches always />}
        {!isSASS && (
          <label>
            {more.codeTarget}
            <select id="code-target" value={target.value} onChange={(e) => (target.value = e.currentTarget.value as Target)}>
              {targets.map((name) => <option key={name} value={name}>{name}</option>)}
              {view.value === "ptx" && run && <option value="run">{more.codeOfRun(run.device.name)}</option>}
            </select>
          </label>
        )}
        {!ofRun && !isSASS && view.value === "ptx" && (
          <label class="switch"><input type="checkbox" id="unchecked" checked={unchecked.value} onChange={(e) => (unchecked.value = e.currentTarget.checked)} />{more.codeUnchecked}</label>
        )}
        {!ofRun && view.value === "ptx" && stagesNow().length > 1 && <StageChoice stages={stagesNow()} />}
        {!ofRun && view.value !== "lens" && !(view.value === "ptx" && base.value && !isSASS) && <Summary />}
      </div>
      {ofRun ? <OfRun run={ofRun} /> : <OfPage />}
    </div>
  );
}

/** compiled is what is compiled by now, if it is. */
function compiled(): Code | undefined {
  return typeof code.value === "object" && !code.value.problem ? code.value : undefined;
}

function stagesNow() {
  return compiled()?.stages ?? [];
}

function Summary() {
  const now = compiled();
  if (!now) return null;
  const { launch, ptx, threads, shared, tookMs } = now;
  const why = view.value === "ptx" ? g.value.whys[stage.value] : "";
  return (
    <p>
      {launch && <>{d.value.codeOfLaunch(launch.number, launch.kernel)} · </>}
      {why || d.value.codeSummary(ptx.length, threads, size(shared), duration(tookMs), unchecked.value)}
    </p>
  );
}

/** OfRun is the code that the device of a run ran. */
function OfRun({ run: { compiled, source } }: { run: OnDevice }) {
  const lines = useMemo<Line[]>(() => (compiled ? runLines(compiled, source) : []), [compiled, source]);
  return (
    <>
      <p class="code-head">{d.value.codeRunSummary(lines.length)}</p>
      <CodeLines lines={lines} label={"PTX"} view={ptxLine} />
    </>
  );
}

/** OfPage is the code that the page compiles by itself. */
function OfPage() {
  const words = t.value;
  const more = d.value;
  const made = code.value;
  if (compilerFailed.value) {
    return <p class="fault" role="alert">{more.codeFailed} <button type="button" class="link" onClick={() => compiler.start()}>{words.retry}</button></p>;
  }
  if (view.value === "lens") return <LensView />;
  if (made === undefined) return <p class="empty" role="status">{more.codeWorking}</p>;
  if (made === "none") return <p class="empty" role="status">{more.codeNone}</p>;
  if (made === "failed") return <p class="fault" role="alert">{more.codeBroken}</p>;
  if (made === "launch") return <p class="empty" role="status">{more.codeNoLaunch}</p>;
  if (made.problem) return <p class="fault" role="alert"><Phrase text={made.problem} /></p>;
  const ptx = view.value === "ptx";
  return (
    <>
      {made.refused && <p class="fault" id="refused" role="status"><Phrase text={sentences(made.refused, lang.value)} /></p>}
      {made.idle && <p class="code-head" role="status">{more.codeIdle}</p>}
      {!ptx && !made.layouts.length && <p class="code-head" role="status">{more.codeNoTiles}</p>}
      {ptx ? <Stage of={made} /> : <Layouts key={made.source} tiles={made.layouts} />}
    </>
  );
}

/** Stage is the chosen step of compilation, or what it differs in from another. */
function Stage({ of: { stages, base: others } }: { of: Code }) {
  if (stage.value === "sass") return <SASS />;
  const shown = stages.find(({ name }) => name === stage.value) ?? stages.at(-1);
  const other = base.value && others?.stages.find(({ name }) => name === base.value?.stage);
  if (!shown) return null;
  const title = g.value.names[stage.value];
  const view = shown.name === "ptx" ? ptxLine : irLine;
  if (base.value && others?.problem) return <p class="fault" role="alert"><Phrase text={others.problem} /></p>;
  if (!other || !base.value) return <CodeLines lines={shown.lines} label={title} view={view} />;
  const { target, stage: of, source } = base.value;
  const compared = `${g.value.names[of]}, ${target}${source && `, ${g.value.otherText}`}`;
  return <Difference before={other.lines} after={shown.lines} label={g.value.difference(title, compared)} view={view} />;
}

/** irLine is a line of IR or of a plan, as it is. */
const irLine = (text: string) => text;

/** ptxLine is a line of PTX in colours. */
function ptxLine(text: string) {
  return ptxWords(text).map((word, i) => (word.kind ? <span key={i} class={`ptx-${word.kind}`}>{word.text}</span> : word.text));
}
