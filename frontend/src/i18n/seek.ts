import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of breakpoints, which are fetched when they are first wanted.
const en = {
  title: "Breakpoints",
  next: "Next stop", before: "Stop before",
  add: (line: number) => `Add at line ${line}`,
  none: "Click a line’s number, or add the line of the cursor. A program stops where the line has run.",
  line: (line: number) => `Line ${line}`,
  when: "when",
  remove: (line: number) => `Remove the breakpoint of line ${line}`,
  stopped: (program: string, step: number, line: number) => `Stopped in ${program} at step ${step}, where line ${line} has run.`,
  end: "No program stops further on in this direction.",
  failed: "newt could not look for the stop. Try again.",
};

const zh: Texts<typeof en> = {
  title: "断点",
  next: "下一处", before: "上一处",
  add: (line) => `加在第 ${line} 行`,
  none: "点击行号，或者加在光标所在的行。程序停在这一行执行完的地方。",
  line: (line) => `第 ${line} 行`,
  when: "条件",
  remove: (line) => `删除第 ${line} 行的断点`,
  stopped: (program, step, line) => `停在${program}的第 ${step} 步，第 ${line} 行已经执行完。`,
  end: "这个方向上没有程序再停下来。",
  failed: "没能找到停下的地方，请再试一次。",
};

/** s holds the texts of breakpoints in the current language. */
export const s = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
