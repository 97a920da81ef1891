import { computed } from "@preact/signals";
import type { Rung } from "../gen/goal";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

const n = (count: number) => count.toLocaleString("en", { maximumFractionDigits: 1 });

// Texts of the ladder under the verdict of an answer that is graded, which are fetched with the first such verdict.
const en = {
  title: "How fast it is",
  counting: "Counting what the first test’s launch takes of a GPU…",
  levels: ["", "bronze", "silver", "gold"] as readonly string[],
  reached: (level: string) => (level ? `Level reached: ${level}.` : "No level is reached yet: the answer is right, and slow."),
  all: "There is no higher one.",
  next: ({ label, value, least, limits, level }: Rung, name: string) =>
    `${capital(name)} takes at ${least ? "least" : "most"} ${n(limits[level] ?? 0)} ${label}; here it is ${n(value)}.`,
  count: "Count", here: "Here", limit: (least: boolean, limit: number) => (least && limit === 0 ? "–" : `${least ? "≥" : "≤"} ${n(limit)}`),
  met: "reached",
  look: "See in Lens what takes them",
  choose: "Time it on the GPU of a runner",
  model: "Counts of a model: newt’s PTX for sm_90a, an H100, run by newt’s simulator for the first test. Nothing is measured.",
  long: "The launch is too long for all of it to be counted, so it has no level.",
  failed: (why: string) => `The launch could not be simulated: ${why || "the simulator did not answer."}`,
};

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const zh: Texts<typeof en> = {
  title: "有多快",
  counting: "正在统计第一个测试的 kernel 启动要 GPU 做多少事…",
  levels: ["", "铜级", "银级", "金级"],
  reached: (level) => (level ? `已达到${level}。` : "还没有达到任何一级：答案正确，但慢。"),
  all: "没有更高的级别了。",
  next: ({ label, value, least, limits, level }, name) => `${name}：${label}${least ? "，至少" : "，最多"} ${n(limits[level] ?? 0)}；现在是 ${n(value)}。`,
  count: "统计项", here: "现在", limit: (least, limit) => (least && limit === 0 ? "–" : `${least ? "≥" : "≤"} ${n(limit)}`),
  met: "已达到",
  look: "在“透视”里看是哪里来的",
  choose: "在运行器的 GPU 上计时",
  model: "这些是模型的计数：newt 为 sm_90a（H100）生成的 PTX，由 newt 的模拟器执行第一个测试，并非实测。",
  long: "这次 kernel 启动太长，无法全部统计，所以没有级别。",
  failed: (why) => `无法模拟这次 kernel 启动：${why || "模拟器没有回应。"}`,
};

/** d holds the texts in the current language. */
export const d = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
