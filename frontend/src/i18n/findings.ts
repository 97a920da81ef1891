import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts about what the sanitizers find, which are fetched with the list of it.
const en = {
  title: "Findings",
  count: (n: number) => (n ? plural(n, "finding", "findings") : "No findings"),
  checking: "Checking…",
  failed: "The launch could not be checked.",
  clean: "Nothing out of bounds, no undefined lane or memory is used, no races between programs, and no NaN or infinity begins here.",
  partly: "What was checked:",
  left: (n: number) => `${plural(n, "more finding", "more findings")} not listed.`,
  all: "Check all programs; this can take some seconds",
  firstValue: "first value",
  inCode: "Show in the code",
  checks: "Checks",
  provedOf: (proved: number, of: number) => (proved === of ? `${of}` : `${proved} of ${of}`),
  open: (sizes: string) => `Open the launch at ${sizes}`,
  keys: "Arrow keys move between findings; Enter shows one.",
};

const zh: Texts<typeof en> = {
  title: "发现的问题",
  count: (n) => (n ? `发现 ${n.toLocaleString("en")} 个问题` : "没有发现问题"),
  checking: "正在检查…",
  failed: "无法检查这次 kernel 启动。",
  clean: "没有越界访问，没有使用未定义的通道或内存，程序之间没有竞争，也没有产生 NaN 或无穷大。",
  partly: "检查的范围：",
  left: (n) => `另有 ${n.toLocaleString("en")} 个问题没有列出。`,
  all: "检查所有程序，可能需要几秒",
  firstValue: "第一个值",
  inCode: "在代码中显示",
  checks: "证明",
  provedOf: (proved, of) => (proved === of ? `${of}` : `${proved} / ${of}`),
  open: (sizes) => `打开 ${sizes} 时的 kernel 启动`,
  keys: "用方向键在问题之间移动，按 Enter 查看。",
};

/** f holds the texts in the current language. */
export const f = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
