import type { Stage } from "../gen/code";
import { targets } from "../gen/targets";
import { d } from "../i18n/device";
import { route, starter } from "../document/workspace";
import { g } from "../i18n/stages";
import { type Architecture, architecture, base, type Base, disassembler, stage, type StageName } from "../run/code-choice";
import { printed, result } from "../run/runs";

const counts = { numWarps: [1, 2, 4, 8, 16], numStages: [1, 2, 3, 4, 5] } as const;

/** StageChoice chooses which step of compilation is shown, and whether it is compared with another. */
export function StageChoice({ stages }: { stages: readonly Stage[] }) {
  const words = g.value;
  const isSASS = stage.value === "sass";
  const known = isSASS || disassembler.value || printed.value;
  const all = known ? [...stages, { name: "sass", lines: [], changed: true }] : stages;
  const choice = <label>{words.show}<StageSelect id="code-stage" stages={all} value={stage.value} onChoose={(name) => (stage.value = name)} /></label>;
  if (isSASS) return choice;
  return (
    <>
      {choice}
      <button type="button" class="quiet" id="compare-stages" aria-pressed={base.value !== undefined} onClick={() => (base.value = base.peek() ? undefined : likely(stages))}>
        {words.compare}
      </button>
      {base.value && <BaseChoice stages={stages} of={base.value} />}
    </>
  );
}

/** likely is what a stage is compared with at first: IR with the stage before, the rest with the other target. */
function likely(stages: readonly Stage[]): Base {
  const at = stages.findIndex((s) => s.name === stage.peek());
  const same = architecture.peek();
  const before = stages[at - 1];
  const isIR = !["plan", "ptx"].includes(stage.peek());
  return {
    stage: isIR && before ? before.name as StageName : stage.peek(), target: isIR ? same : same === targets[0] ? "sm_80" : targets[0], numWarps: 0, numStages: 0,
    source: "",
  };
}

function BaseChoice({ stages, of }: { stages: readonly Stage[]; of: Base }) {
  const words = g.value;
  const change = (to: Partial<Base>) => (base.value = { ...of, ...to });
  const count = (key: "numWarps" | "numStages", label: string) => (
    <label>
      {label}
      <select id={`base-${key}`} value={of[key]} onChange={(e) => change({ [key]: Number(e.currentTarget.value) })}>
        <option value={0}>{words.asLaunched}</option>
        {counts[key].map((n) => <option key={n} value={n}>{n}</option>)}
      </select>
    </label>
  );
  return (
    <div class="code-base" role="group" aria-label={words.compare}>
      <label>{words.with}<StageSelect id="base-stage" stages={stages} value={of.stage} onChoose={(name) => change({ stage: name })} /></label>
      <label>
        {d.value.codeTarget}
        <select id="base-target" value={of.target} onChange={(e) => change({ target: e.currentTarget.value as Architecture })}>
          {targets.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      {count("numWarps", words.warps)}
      {count("numStages", words.stages)}
      {route.value.page !== "document" && <TextSelect source={of.source} onChoose={(source) => change({ source })} />}
    </div>
  );
}

/** TextSelect chooses of which text the other stage is; one that was chosen stays the same through later runs. */
function TextSelect({ source, onChoose }: { source: string; onChoose: (source: string) => void }) {
  const words = g.value;
  const texts = [{ name: "same", text: "" }, { name: "starter", text: starter.value }, { name: "run", text: result.value?.source }] as const;
  const known = texts.filter(({ text }, i) => text !== undefined && texts.findIndex((other) => other.text === text) === i);
  const all = known.some(({ text }) => text === source) ? known : [...known, { name: "kept", text: source } as const];
  return (
    <label>
      {words.text}
      <select id="base-text" value={all.find(({ text }) => text === source)?.name} onChange={(e) => onChoose(all.find(({ name }) => name === e.currentTarget.value)?.text ?? "")}>
        {all.map(({ name }) => <option key={name} value={name}>{words.texts[name]}</option>)}
      </select>
    </label>
  );
}

interface SelectProps {
  id: string;
  stages: readonly Stage[];
  value: StageName;
  onChoose: (name: StageName) => void;
}

function StageSelect({ id, stages, value, onChoose }: SelectProps) {
  const words = g.value;
  return (
    <select id={id} value={value} onChange={(e) => onChoose(e.currentTarget.value as StageName)}>
      {stages.map(({ name, changed }, i) => {
        const title = words.names[name as StageName];
        return <option key={name} value={name}>{i > 0 && !changed ? words.unchanged(title) : title}</option>;
      })}
    </select>
  );
}
