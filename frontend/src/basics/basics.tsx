import { useEffect, useId, useState } from "preact/hooks";
import { type Idea, phraseIn } from "../content/course";
import { b } from "../i18n/basics";
import { t } from "../i18n/table";
import { lang } from "../settings/settings";
import { Dialog } from "../ui/dialog";
import { Phrase } from "../ui/phrase-view";
import { type ConceptID, conceptOf, type Control, type Grid, type Values } from "./concepts";
import { lesson } from "./lesson";
import { closeConcept, finish, shownConcept, startPuzzles } from "./open";

/** Basics is the card of a concept: alone, or as a part of puzzle 0. */
export default function Basics() {
  const shown = shownConcept.value;
  const words = b.value;
  return (
    <Dialog open={shown !== undefined} title={shown && !shown.own && shown.inLesson ? words.lesson : words.card} close={t.value.close} class="basics" onClose={closeConcept}>
      {shown && (shown.own ? <OwnCard of={shown.own} /> : <Card key={shown.id} id={shown.id} inLesson={shown.inLesson} />)}
    </Dialog>
  );
}

/** OwnCard is the card of an idea of somebody's own course. */
function OwnCard({ of: { title = "", text = "" } }: { of: Idea }) {
  return <><h3>{phraseIn(title, lang.value)}</h3><p><Phrase text={phraseIn(text, lang.value)} /></p></>;
}

function Card({ id, inLesson }: { id: ConceptID; inLesson: boolean }) {
  const words = b.value.concepts[id];
  const at = lesson.findIndex((other) => other === id);
  const to = (step: number) => {
    const next = lesson[at + step];
    if (next) shownConcept.value = { id: next, inLesson };
    else startPuzzles();
  };
  const last = at === lesson.length - 1;
  return (
    <>
      {inLesson && <p class="overline">{b.value.stepOf(at + 1, lesson.length)}</p>}
      <h3>{words.title}</h3>
      <p>{words.text}</p>
      <Figure id={id} />
      {inLesson && (
        <div class="dialog-foot">
          {at > 0 && <button type="button" class="quiet" onClick={() => to(-1)}>{b.value.back}</button>}
          <button type="button" class="cta" id="basics-next" onClick={() => to(1)}>{last ? t.value.introStart : b.value.next}</button>
        </div>
      )}
    </>
  );
}

/** Figure shows a concept's blocks and tensors, moved by its controls or by its cells; the task is done once it is reached. */
function Figure({ id }: { id: ConceptID }) {
  const words = b.value.concepts[id];
  const concept = conceptOf(id);
  const [values, setValues] = useState<Values>({});
  const [done, setDone] = useState(false);
  const reached = concept.reached(values);
  useEffect(() => {
    if (!reached || done) return;
    setDone(true);
    finish(id);
  }, [reached]);
  const change = (some: Values) => setValues((all) => ({ ...all, ...some }));
  return (
    <div class="concept" data-concept={id}>
      <p class="concept-task" data-done={done}><b>{done ? b.value.done : b.value.task}</b> {words.task}</p>
      <div class="concept-grids">{concept.grids(values).map((grid) => <Cells key={grid.name} grid={grid} onPress={change} />)}</div>
      <div class="concept-controls">
        {concept.controls.map((control) => (
          <Setting key={control.id} control={control} label={(words.controls as Record<string, string>)[control.id] ?? control.id} value={values[control.id] ?? 0} onChange={change} />
        ))}
      </div>
      <pre class="concept-code" role="status">{concept.code(values)}</pre>
    </div>
  );
}

interface SettingProps {
  control: Control;
  label: string;
  value: number;
  onChange: (some: Values) => void;
}

function Setting({ control: { id, max, text, toggle }, label, value, onChange }: SettingProps) {
  const input = useId();
  if (toggle) {
    return <label><input type="checkbox" checked={value === 1} onChange={(e) => onChange({ [id]: Number(e.currentTarget.checked) })} /> <code>{label}</code></label>;
  }
  const shown = text?.(value) ?? String(value);
  return (
    <div class="concept-slider">
      <label for={input}>{label}</label>
      <input id={input} type="range" min={0} max={max} value={value} aria-valuetext={shown} data-control={id} onInput={(e) => onChange({ [id]: Number(e.currentTarget.value) })} />
      <output for={input}>{shown}</output>
    </div>
  );
}

/** Cells draws a block or a tensor. What its cells set can be dragged along them; the sliders do the same by keys. */
function Cells({ grid: { name, columns, cells, press }, onPress }: { grid: Grid; onPress: (some: Values) => void }) {
  const at = (event: PointerEvent) => {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const cell = under instanceof HTMLElement && (event.currentTarget as HTMLElement).contains(under) ? Number(under.dataset["cell"]) : NaN;
    if (press && Number.isInteger(cell)) onPress(press(cell));
  };
  const handlers = press && {
    onPointerDown: (event: PointerEvent) => {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      at(event);
    },
    onPointerMove: (event: PointerEvent) => event.buttons && at(event),
  };
  const lit = cells.filter(({ tone }) => tone === "on" || tone === "fault").map(({ text }) => text).join(" ");
  return (
    <div class="concept-grid">
      <code>{name}</code>
      <div
        role="img" aria-label={`${name}: ${lit}`} class={press ? "concept-cells concept-moves" : "concept-cells"}
        style={{ "--columns": columns }} {...handlers}
      >
        {cells.map(({ text, tone }, i) => <span key={i} class={`concept-${tone}`} data-cell={i}>{text}</span>)}
      </div>
    </div>
  );
}
