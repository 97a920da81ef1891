import { useMemo } from "preact/hooks";
import type { Line } from "../gen/code";
import { g } from "../i18n/stages";
import { sassWords } from "../lib/ptx-words";
import { disassembler } from "../run/code-choice";
import { printed } from "../run/runs";
import { lang } from "../settings/settings";
import { keysOf } from "../ui/shortcuts";
import { CodeLines } from "./lines";
import { runLines } from "./run-lines";

/** SASS is the machine code of the last run, which its runner has printed, or what gives one. */
export function SASS() {
  const words = g.value;
  const { sass, device, source = "" } = printed.value ?? {};
  const lines = useMemo<Line[]>(() => (sass?.text ? runLines({ ptx: sass.text, lines: sass.lines }, source) : []), [sass, source]);
  if (!sass || !device) {
    const on = disassembler.value;
    return <p class="empty" role="status">{on ? words.sassAsk(on, keysOf("runThere")) : words.sassNowhere}</p>;
  }
  if (sass.problem) {
    const { headline, why, help } = sass.problem[lang.value];
    return <p class="fault" role="alert">{[`${headline}${lang.value === "zh" ? "。" : "."}`, why, help].join(" ")}</p>;
  }
  if (!lines.length) return <p class="empty" role="status">{words.sassLong}</p>;
  return (
    <>
      <p class="code-head">{words.sassSummary(lines.length, sass.arch, device.name, sass.assembled)}</p>
      <CodeLines lines={lines} label={words.names.sass} view={sassLine} />
    </>
  );
}

/** sassLine is a line of SASS in colours. */
function sassLine(text: string) {
  return sassWords(text).map((word, i) => (word.kind ? <span key={i} class={`ptx-${word.kind}`}>{word.text}</span> : word.text));
}
