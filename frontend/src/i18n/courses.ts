import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of the lanes of programs, which are fetched when they are first wanted.
const en = {
  title: "Programs side by side",
  waiting: "Tracing the programs…",
  failed: "newt could not trace the programs. Try again.",
  same: (programs: number, steps: number) => `${plural(programs, "program", "programs")} of ${plural(steps, "step", "steps")} each.`,
  between: (programs: number, least: number, most: number) => `${plural(programs, "program", "programs")} of ${least.toLocaleString("en")} to ${most.toLocaleString("en")} steps.`,
  firstProblem: (program: string, step: number) => `The first problem is in program ${program}, at step ${step}.`,
  lane: (program: string, steps: number, facts: string) => `Program ${program}: ${plural(steps, "step", "steps")}, ${facts}`,
  loads: (n: number) => plural(n, "load", "loads"),
  stores: (n: number) => plural(n, "store", "stores"),
  atomics: (n: number) => plural(n, "atomic operation", "atomic operations"),
  problem: (step: number) => `problem at step ${step}`,
  table: "Programs as a table",
  program: "Program", steps: "Steps", colLoads: "Loads", colStores: "Stores", colAtomics: "Atomics", colProblem: "First problem",
};

const zh: Texts<typeof en> = {
  title: "并列显示各个程序",
  waiting: "正在跟踪各个程序…",
  failed: "没能跟踪这些程序，请再试一次。",
  same: (programs, steps) => `${programs} 个程序，各 ${steps.toLocaleString("en")} 步。`,
  between: (programs, least, most) => `${programs} 个程序，${least.toLocaleString("en")} 到 ${most.toLocaleString("en")} 步。`,
  firstProblem: (program, step) => `第一个问题在程序 ${program} 的第 ${step} 步。`,
  lane: (program, steps, facts) => `程序 ${program}：${steps.toLocaleString("en")} 步，${facts}`,
  loads: (n) => `${n.toLocaleString("en")} 次加载`,
  stores: (n) => `${n.toLocaleString("en")} 次存储`,
  atomics: (n) => `${n.toLocaleString("en")} 次原子操作`,
  problem: (step) => `第 ${step} 步有问题`,
  table: "以表格显示各个程序",
  program: "程序", steps: "步数", colLoads: "加载", colStores: "存储", colAtomics: "原子操作", colProblem: "第一个问题",
};

/** c holds the texts of the lanes in the current language. */
export const c = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
