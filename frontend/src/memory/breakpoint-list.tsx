import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { doc } from "../document/workspace";
import { s } from "../i18n/seek";
import { sentence } from "../lib/format";
import { cursorLine, editor } from "../state/view";
import { Icon } from "../ui/icons";
import { Phrase } from "../ui/phrase-view";
import { type Breakpoint, breakpointsOf, changed, install, setBreakpoint } from "./breakpoints";
import { numberOf } from "./inspected";
import { seek, type Sought } from "./seek";
import { current } from "./stage";
import { programName } from "./words";

/** Answer is what came of looking for a stop, at the breakpoints that were looked for. */
interface Answer extends Sought {
  of: readonly Breakpoint[];
}

/** BreakpointList lists the breakpoints of the text with their conditions, and goes from one stop to the next, through all programs. */
export default function BreakpointList() {
  const words = s.value;
  const view = editor.value?.view;
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLElement>(null);
  void changed.value;
  useLayoutEffect(() => { // before the list is seen, which says that a click on a line's number adds to it
    if (view) install(view);
  }, [view, doc.value]);
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []);
  if (!view) return null;
  const list = breakpointsOf(view);
  const go = async (back: boolean) => {
    setBusy(true);
    setAnswer({ of: list, ...await seek(list, { back, within: false }) });
    setBusy(false);
  };
  const cursor = cursorLine.value;
  const known = list.some(({ line }) => line === cursor);
  return (
    <section class="breakpoints" ref={box} aria-label={words.title}>
      <div class="breakpoint-buttons">
        <button type="button" class="quiet" id="stop-before" disabled={!list.length || busy} onClick={() => void go(true)}>{words.before}</button>
        <button type="button" class="quiet" id="stop-next" disabled={!list.length || busy} onClick={() => void go(false)}>{words.next}</button>
        {!known && <button type="button" class="link" id="add-breakpoint" onClick={() => setBreakpoint(view, cursor, "")}>{words.add(cursor)}</button>}
      </div>
      {!list.length && <p class="fine">{words.none}</p>}
      <ol>
        {list.map((at) => <Row key={at.line} at={at} wrong={wrongOf(answer, at)} go={() => void go(false)} />)}
      </ol>
      <p class="fine" role="status">{!busy && answer && said(answer)}</p>
    </section>
  );
}

/** wrongOf is what is wrong with the condition of a breakpoint; empty where nothing is. */
function wrongOf(answer: Answer | undefined, at: Breakpoint): string {
  const of = answer?.of[answer.reply?.stop ?? -1];
  return of?.line === at.line && of.condition === at.condition ? (answer?.reply?.message ?? "") : "";
}

/** said is what came of looking, in words; what is wrong with a condition is said at its own. */
function said({ of, reply, stopped }: Answer) {
  const words = s.value;
  const grid = current.value?.inspected.grid ?? [];
  if (stopped) return "";
  if (!reply) return words.failed;
  if (reply.message) return reply.stop < 0 && <Phrase text={sentence(reply.message)} />;
  const at = of[reply.stop];
  return at ? words.stopped(programName(numberOf(reply.program, grid), grid), reply.step + 1, at.line) : words.end;
}

/** Row is a breakpoint: its line, its condition, which Enter tries, and a button that takes it away. */
function Row({ at: { line, condition }, wrong, go }: { at: Breakpoint; wrong: string; go: () => void }) {
  const words = s.value;
  const view = editor.value?.view;
  if (!view) return null;
  const id = `breakpoint-${line}`;
  const set = (event: { currentTarget: HTMLInputElement }) => setBreakpoint(view, line, event.currentTarget.value);
  return (
    <li>
      <button type="button" class="link" onClick={() => editor.peek()?.showLine(line)}>{words.line(line)}</button>
      <label for={id}>{words.when}</label>
      <input
        id={id} type="text" value={condition} placeholder="pid == 3" spellcheck={false} autocomplete="off" autocapitalize="off"
        aria-invalid={wrong !== ""} aria-describedby={wrong ? `${id}-wrong` : undefined} onInput={set}
        onKeyDown={(event) => event.key === "Enter" && go()}
      />
      <button type="button" class="tool" aria-label={words.remove(line)} title={words.remove(line)} onClick={() => setBreakpoint(view, line, undefined)}>
        <Icon name="close" />
      </button>
      {wrong && <p class="bad" id={`${id}-wrong`}><Phrase text={sentence(wrong)} /></p>}
    </li>
  );
}
