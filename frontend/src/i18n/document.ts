import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of the document page, whose parts are fetched when it is first shown.
const en = {
  title: "Document",
  lead: "A script, a notebook or pasted cells, run as they stand: in this page, nothing is sent.",
  open: "Open a file",
  openHint: "or drop it anywhere: .py, .ipynb, .md",
  opening: "Opening…",
  saveAs: "Save as",
  formats: { python: "Python", notebook: "Notebook", markdown: "Markdown", transcript: "Text" },
  outline: "Cells",
  goTo: (n: number, title: string) => `Cell ${n}: ${title}`,
  emptyCell: "empty",
  states: { waiting: "waiting", running: "running", done: "ran", failed: "failed", stopped: "stopped", kept: "from the file", none: "not run yet" },
  restart: "Forget variables",
  alive: "The cells share their variables until you forget them or stop a run.",
  lost: "The variables of the cells are gone. Run the cells again that later ones need.",
  tooLarge: "This file is larger than 64 MB.",
  unreadable: "This file could not be read.",
  runCell: "Run this cell",
  keptOutput: "From the file; not run here",
  cellStopped: "Stopped. The variables of all cells are gone.",
  cellWaiting: "Waiting…",
  cellFailed: "failed",
  outputKinds: { stdout: "Printed", stderr: "Printed to stderr", error: "Traceback", display: "Shown", value: "Value" },
  launches: "Launches",
  launchesCount: (n: number) => plural(n, "launch", "launches"),
  launchesNone: "Each kernel that the document launches is listed here, with its grid and its arguments.",
  launchesCut: (n: number) => `Only the last ${n.toLocaleString("en")} are listed.`,
  launchFailed: "failed",
  launchGone: "What this launch did is no longer kept. Run its cell again to see it.",
  launchOf: (n: number, kernel: string) => `Launch ${n}: ${kernel}`,
  line: (n: number) => `line ${n}`,
};

const zh: Texts<typeof en> = {
  title: "文档",
  lead: "脚本、notebook 或粘贴来的单元格，原样运行：就在本页面里，什么都不会发送出去。",
  open: "打开文件",
  openHint: "或把文件拖到页面上：.py、.ipynb、.md",
  opening: "正在打开…",
  saveAs: "另存为",
  formats: { python: "Python", notebook: "Notebook", markdown: "Markdown", transcript: "文本" },
  outline: "单元格",
  goTo: (n, title) => `单元格 ${n}：${title}`,
  emptyCell: "空",
  states: { waiting: "等待中", running: "运行中", done: "已运行", failed: "失败", stopped: "已停止", kept: "来自文件", none: "尚未运行" },
  restart: "清除变量",
  alive: "各单元格共用变量，直到你清除它们或停止一次运行。",
  lost: "各单元格的变量已经没有了。后面要用到的单元格请重新运行。",
  tooLarge: "文件超过 64 MB。",
  unreadable: "无法读取这个文件。",
  runCell: "运行这个单元格",
  keptOutput: "来自文件，没有在这里运行",
  cellStopped: "已停止。所有单元格的变量都没有了。",
  cellWaiting: "等待中…",
  cellFailed: "失败",
  outputKinds: { stdout: "输出", stderr: "标准错误输出", error: "回溯", display: "显示的内容", value: "值" },
  launches: "Kernel 启动",
  launchesCount: (n) => `${n.toLocaleString("en")} 次 kernel 启动`,
  launchesNone: "文档每启动一次 kernel，都会连同 grid 和参数列在这里。",
  launchesCut: (n) => `只列出最后 ${n.toLocaleString("en")} 次。`,
  launchFailed: "失败",
  launchGone: "这次 kernel 启动的结果已经不再保留。重新运行它的单元格即可查看。",
  launchOf: (n, kernel) => `第 ${n} 次 kernel 启动：${kernel}`,
  line: (n) => `第 ${n} 行`,
};

/** d is the table of the current language. */
export const d = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
