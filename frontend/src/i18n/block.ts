import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of single values: of a block that is opened, and of what is under the pointer. They are fetched after the memory view.
const en = {
  value: "Value",
  close: "Close the values (Escape)",
  open: "Show all values",
  whyKeys: "Enter asks where one comes from.",
  notYet: "Not computed yet at this step.",
  at: (program: string, step: number, line: number) => `After step ${step} of ${program}, line ${line}.`,
  given: "Argument of the launch.",
  title: (name: string, type: string, program: string) => `${name}: ${type} of ${program}.`,
  iteration: (path: string) => `Iteration ${path}.`,
  truth: (on: number, of: number) => `${on} of ${plural(of, "lane", "lanes")} true.`,
  range: (count: number, low: string, high: string, mean: string) =>
    `${plural(count, "value", "values")} from ${low} to ${high}, ${mean} on average.`,
  same: (count: number, value: string) => (count === 1 ? `One value, ${value}.` : `${count.toLocaleString("en")} values, all ${value}.`),
  odd: (nan: number, positive: number, negative: number) => `Not finite: ${[nan && `${nan} nan`, positive && `${positive} inf`, negative && `${negative} -inf`].filter(Boolean).join(", ")}.`,
  zeros: (n: number) => `${plural(n, "zero", "zeros")}.`,
  histogram: "Histogram",
  histogramTable: "The histogram as a table",
  bin: "Values", binCount: "Count",
  binRange: (low: string, high: string) => (low === high ? low : `${low} to ${high}`),
  plane: "Plane",
  planeOf: (index: string, count: number) => `${index}, one of ${count}`,
  sweep: "Step by step",
  sofar: "Result so far",
  alongK: "Along K", alongAxis: (axis: number) => `Along axis ${axis}`,
  sweepOf: (done: number, length: number) => `${done} of ${length}`,
  product: (done: number, length: number, a: string, b: string) =>
    `After ${done} of ${length} along K: the accumulator and ${a}[:, 0:${done}] @ ${b}[0:${done}, :].`,
  fold: (done: number, length: number, axis: number, of: string) => `After ${done} of ${plural(length, "lane", "lanes")} of ${of} along axis ${axis}.`,
};

const zh: Texts<typeof en> = {
  value: "值",
  close: "关闭这些值（Escape）",
  open: "显示全部值",
  whyKeys: "按 Enter 查看元素的来历。",
  notYet: "到这一步还没有算出。",
  at: (program, step, line) => `${program}第 ${step} 步之后，第 ${line} 行。`,
  given: "调用 kernel 时传入的参数。",
  title: (name, type, program) => `${name}：${type}，${program}。`,
  iteration: (path) => `第 ${path} 次迭代。`,
  truth: (on, of) => `${of} 个通道中有 ${on} 个为真。`,
  range: (count, low, high, mean) => `${count.toLocaleString("en")} 个值，从 ${low} 到 ${high}，平均 ${mean}。`,
  same: (count, value) => (count === 1 ? `一个值：${value}。` : `${count.toLocaleString("en")} 个值，全部为 ${value}。`),
  odd: (nan, positive, negative) => `非有限值：${[nan && `${nan} 个 nan`, positive && `${positive} 个 inf`, negative && `${negative} 个 -inf`].filter(Boolean).join("，")}。`,
  zeros: (n) => `${n.toLocaleString("en")} 个零。`,
  histogram: "直方图",
  histogramTable: "以表格显示直方图",
  bin: "值", binCount: "个数",
  binRange: (low, high) => (low === high ? low : `${low} 到 ${high}`),
  plane: "平面",
  planeOf: (index, count) => `${index}，共 ${count} 个`,
  sweep: "逐步计算",
  sofar: "目前的结果",
  alongK: "沿 K", alongAxis: (axis) => `沿轴 ${axis}`,
  sweepOf: (done, length) => `${done} / ${length}`,
  product: (done, length, a, b) => `沿 K 完成 ${done} / ${length}：累加器加上 ${a}[:, 0:${done}] @ ${b}[0:${done}, :]。`,
  fold: (done, length, axis, of) => `${of} 沿轴 ${axis} 的 ${length} 个通道已合并 ${done} 个。`,
};

/** b holds the texts of values in the current language. */
export const b = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
