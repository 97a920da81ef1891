import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of ranked configs, which are fetched with the first ranking.
const en = {
  head: (key: string, configs: number) => `key ${key}: ${plural(configs, "config", "configs")}, in the order that a model of an H100 expects`,
  label: (kernel: string) => `Ranked configs of ${kernel}`,
  more: (configs: number) => `All ${configs} configs`,
  fewer: (configs: number) => `The first ${configs} configs`,
  config: "Config",
  expected: "Expected",
  bound: "Bound by",
  measured: "Measured",
  bounds: { memory: "memory", cache: "L2 cache", compute: "instructions", latency: "latency" } as Record<string, string>,
  tooMuch: "needs too much",
  failed: "cannot run",
  isUsed: "used",
  untimed: "Nothing was timed: the first config is used.",
  timed: (measured: number, all: number) => (measured < all ? `${measured} of the first ${all} are timed.` : `The first ${all} were timed, and the fastest is used.`),
  used: (label: string) => `Used: ${label}.`,
  all: (sentences: readonly string[]) => sentences.join(" "),
  correlation: (r: string) => `Rank correlation (Spearman) of expected and measured times: ${r}.`,
};

const zh: Texts<typeof en> = {
  head: (key, configs) => `键 ${key}：${configs} 个 config，按 H100 模型预计的快慢排列`,
  label: (kernel) => `${kernel} 的 config 排序`,
  more: (configs) => `全部 ${configs} 个 config`,
  fewer: (configs) => `前 ${configs} 个 config`,
  config: "Config",
  expected: "预计",
  bound: "瓶颈",
  measured: "实测",
  bounds: { memory: "显存", cache: "L2 缓存", compute: "指令", latency: "延迟" },
  tooMuch: "资源不足",
  failed: "无法运行",
  isUsed: "使用",
  untimed: "没有计时：使用第一个 config。",
  timed: (measured, all) => (measured < all ? `前 ${all} 个中已测 ${measured} 个。` : `测了前 ${all} 个，使用其中最快的。`),
  used: (label) => `使用的是 ${label}。`,
  all: (sentences) => sentences.join(""),
  correlation: (r) => `预计与实测时间的秩相关系数（Spearman）：${r}。`,
};

/** r holds the texts in the current language. */
export const r = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
