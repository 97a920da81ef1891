import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { searcher } from "../engine/engines";
import type { Verdict } from "../gen/api";
import { q } from "../i18n/questions";
import { runOf } from "../run/request";
import { Icon } from "../ui/icons";
import { assemble, groupAt, mixed, moved, type Taken } from "./order";
import type { AnswerProps, Said } from "./table";

/** OrderAnswer puts groups of lines in order: the arrow keys move the one with the focus, as do two buttons, and a mouse drags it. */
export function OrderAnswer({ taken, open, said, say }: AnswerProps & { taken: Taken }) {
  const words = q.value.order;
  const [order, setOrder] = useState(() => mixed(taken.groups).map((text, id) => ({ id, text })));
  const [fault, setFault] = useState<number | undefined>(undefined); // the group that newt complains of
  const [checking, setChecking] = useState(false);
  if (!open || said?.kernel) return null;
  const source = assemble(taken, order.map(({ text }) => text));
  const change = (next: typeof order) => {
    setOrder(next);
    setFault(undefined);
  };
  const check = async () => {
    if (checking) return;
    setChecking(true);
    const verdict = await judge(source);
    setChecking(false);
    const problem = verdict?.diagnostics.find(({ severity }) => severity === "error");
    const at = problem ? groupAt(taken, order.map(({ text }) => text), problem.line) : -1;
    setFault(order[at]?.id);
    say(saidOf(verdict, at, source));
  };
  return (
    <>
      <p>{words.how}</p>
      <Groups order={order} fault={fault} onChange={change} />
      <button type="button" class="quiet" id="order-check" aria-disabled={checking} onClick={() => void check()}>{checking ? words.checking : words.check}</button>
    </>
  );
}

/** judge runs a kernel as an answer to the page's puzzle. No run waits for it: it is made where mistakes are looked for. */
async function judge(source: string): Promise<Verdict | undefined> {
  const call = runOf(source);
  if (!call) return undefined;
  searcher.wake();
  return searcher.call(call).then(({ verdict }) => verdict, () => undefined);
}

function saidOf(verdict: Verdict | undefined, at: number, kernel: string): Said {
  const words = q.peek().order;
  if (!verdict) return { kind: "wrong", text: words.failed };
  if (verdict.pass) return { kind: "right", text: words.right(verdict.tests), code: kernel, kernel };
  const problem = verdict.diagnostics.find(({ severity }) => severity === "error");
  return { kind: "wrong", text: problem ? words.problem(at + 1, problem.headline) : verdict.message };
}

/** lineOf is a line of code with its indentation inside of the function; what does not fit goes on below it, further in. */
function lineOf(line: string, i: number) {
  return <span key={i} style={{ "--indent": `${line.search(/\S/) - 4}ch` }}>{line.trim()}{"\n"}</span>;
}

interface Group {
  id: number;
  text: string;
}

function Groups({ order, fault, onChange }: { order: readonly Group[]; fault: number | undefined; onChange: (order: Group[]) => void }) {
  const words = q.value.order;
  const list = useRef<HTMLOListElement>(null);
  const [last, setLast] = useState<number | undefined>(undefined); // the group that was moved last
  const dragged = useRef<number | undefined>(undefined);
  const move = (id: number, to: number) => {
    const from = order.findIndex((group) => group.id === id);
    if (from === to || to < 0 || to >= order.length) return;
    setLast(id);
    onChange(moved(order, from, to));
  };
  const focused = useRef<Element | null>(null);
  focused.current = document.activeElement;
  useLayoutEffect(() => { // an element that is moved loses the focus
    if (list.current?.contains(focused.current)) (focused.current as HTMLElement).focus();
  }, [order]);
  const key = (event: KeyboardEvent, id: number, i: number) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(id, i + by);
  };
  const press = (event: PointerEvent) => {
    const line = (event.target as Element).closest(".order-line");
    if (!line || event.pointerType === "touch") return;
    dragged.current = Number(line.getAttribute("data-group"));
    list.current?.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent) => {
    if (dragged.current === undefined || !event.buttons) return;
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const to = rows.findIndex(({ top, bottom }) => top <= event.clientY && event.clientY < bottom);
    if (to >= 0) move(dragged.current, to);
  };
  return (
    <>
      <ol class="order-lines" ref={list} onPointerDown={press} onPointerMove={drag} onPointerUp={() => (dragged.current = undefined)}>
        {order.map(({ id, text }, i) => (
          <li key={id} data-fault={id === fault}>
            <button type="button" class="order-line" data-group={id} onKeyDown={(event) => key(event, id, i)}><code>{text.split("\n").map(lineOf)}</code></button>
            {([["up", -1], ["down", 1]] as const).map(([way, by]) => (
              <button
                key={way} type="button" class={`tool order-${way}`} tabIndex={-1} aria-label={`${words[way]}: ${text.trim()}`} title={words[way]}
                aria-disabled={order[i + by] === undefined} onClick={() => move(id, i + by)}
              >
                <Icon name="down" />
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p class="unseen" role="status">{last !== undefined && words.place(order.findIndex(({ id }) => id === last) + 1, order.length)}</p>
    </>
  );
}
