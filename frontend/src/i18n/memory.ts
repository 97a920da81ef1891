import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

/** Did is what a program has done to a tensor in accesses of one kind. */
interface Did {
  kind: string; // load, store, atomic
  what: string; // z[0, 0:8]
  elements: number | undefined; // of what, where not all
  accesses: number;
}

/** Besides is what else there is to say of several accesses. */
interface Besides {
  from: number; // the first step that the picture is of, from 1
  masked: number; // lanes of the last access
  outside: number; // lanes of all accesses
}

const since = (step: number) => (step > 1 ? `from step ${step.toLocaleString("en")} on, ` : "");
const zhSince = (step: number) => (step > 1 ? `从第 ${step.toLocaleString("en")} 步起，` : "");
const verbs: Readonly<Record<string, string>> = { load: "reads", store: "writes", atomic: "atomically updates" };
const zhVerbs: Readonly<Record<string, string>> = { load: "读取", store: "写入", atomic: "原子地更新" };

// Texts of the memory view, which is fetched after the page.
const en = {
  program: "Program",
  programs: "Programs of the grid",
  programOf: (program: string) => `program ${program}`,
  all: "all",
  programAxis: (axis: number, size: number) => `program_id(${axis}), 0 to ${size - 1}`,
  test: "Test",
  testOf: (n: number, total: number, came?: { pass: boolean; name: string }) => (came ? `${came.pass ? "✓" : "✗"} ${n} of ${total}: ${came.name}` : `${n} of ${total}`),
  launch: "Launch",
  elsewhere: (sizes: string) => `At ${sizes}`,
  ownSizes: "Back to the sizes before",
  waiting: "Tracing the kernel…",
  none: "There is no launch to show yet. A kernel with a launch shows here what its programs read and write.",
  noneDocument: (keys: string) =>
    `No cell has launched a kernel yet: a call such as kernel[(8,)](x, out, n, BLOCK=64) does. Put the cursor in a cell that does and press ${keys}, or run all cells: you then see here what each program reads and writes, step by step.`,
  outdated: "The last version that could run:",
  touchedBy: (name: string, program: string, from: number) => `${since(from)}${program} does not touch ${name} up to this step`,
  inAll: (who: string, did: readonly Did[], { from, masked, outside }: Besides) => {
    const each = did.map(({ kind, what, elements, accesses }) => {
      const some = elements === undefined ? "" : elements ? `${plural(elements, "element", "elements")} of ` : "no element of ";
      return `${verbs[kind]} ${some}${what}${accesses > 1 ? ` in ${accesses.toLocaleString("en")} accesses` : ""}`;
    });
    const also = [masked && `in the last, ${plural(masked, "lane is", "lanes are")} masked off`, outside && `${plural(outside, "lane lies", "lanes lie")} outside the tensor`];
    return [`${since(from)}${who} ${each.join(" and ")}`, ...also].filter(Boolean).join("; ");
  },
  allSentence: (name: string, drawn: number | undefined, written: number, several: number, read: number) =>
    `${name}: ${drawn === undefined ? "" : `of ${plural(drawn, "element", "elements")} drawn, `}${plural(written, "element", "elements")} written, ${several ? `${several.toLocaleString("en")} of them by several programs, ` : ""}${plural(read, "element", "elements")} read`,
  allSampled: (rows: number, columns: number) => `Each cell stands for ${rows} × ${columns} elements.`,
  stop: ".",
  pictureRole: "tensor in memory",
  pictureKeys: "Arrow keys move between elements; Enter asks where one comes from.",
  why: "Why?",
  whyTitle: (element: string, got: string) => `${element} = ${got}`,
  whyExpected: (value: string) => `expected ${value}`,
  whyWaiting: "Following the element back…",
  whyFailed: "newt could not follow the element back. Ask again.",
  whyClose: "Close (Escape)",
  whyList: (element: string) => `Where ${element} comes from`,
  whyLeft: (n: number) => `${plural(n, "more operand", "more operands")} not listed.`,
  past: "past the end",
  valueBefore: "before",
  valueAfter: "after",
  valueBoth: "value",
  readBy: (who: string) => `read by ${who}`,
  writtenBy: (who: string) => `written by ${who}`,
  several: "several programs",
  nobody: "no program",
  plane: (values: string, query: string, key: string) => `${values}: one value for each pair of ${query} and ${key}`,
  legend: "Key",
  legendRead: "read", legendWritten: "written", legendMasked: "masked off", legendOutside: "outside", legendSeveral: "several programs", legendHeld: "tile of this iteration",
  timeline: "Steps of the program",
  first: "First step", back: "Step back", forward: "Step forward", last: "Last step",
  lineBack: "Line back", lineForward: "Line forward",
  timelineKeys: "Left and right step by operation, with Shift by line; up and down change the program; Enter shows the values.",
  loop: (line: number) => `Loop of line ${line}`,
  iterationOf: (n: number, last: number) => `iteration ${n} of 0 to ${last}`,
  firstProblem: "First problem",
  breakpoints: "Breakpoints", lanes: "Programs side by side",
  stepOf: (n: number, total: number) => `Step ${n} of ${total}`,
  line: (n: number) => `line ${n}`,
  toLine: (n: number) => `Show line ${n}`,
  iteration: (path: string) => `iteration ${path}`,
  noSteps: "This program runs no operation yet.",
  lookWholly: "Run it to its end", stopLook: "Stop",
  lookStopped: "Stopped. newt traces the kernel again after the next edit.",
  lookFailed: "newt could not trace this version of the kernel to an end, and stopped. It tries again after the next edit.",
  stepsSoFar: (n: number) => `${plural(n, "step", "steps")} so far`,
  programsSoFar: (n: number, total: number) => `${n.toLocaleString("en")} of ${plural(total, "program", "programs")} so far`,
  lineValues: "Values in the code",
  sanitize: "Look for races, undefined lanes, NaNs and wrapping integers",
  table: "Steps as a table",
  colLine: "Line", colOperation: "Operation", colType: "Type", colValue: "Value", colAccess: "Memory",
};

const zh: Texts<typeof en> = {
  program: "程序",
  programs: "网格中的程序",
  programOf: (program) => `程序 ${program}`,
  all: "全部",
  programAxis: (axis, size) => `program_id(${axis})，0 到 ${size - 1}`,
  test: "测试",
  testOf: (n, total, came) => (came ? `${came.pass ? "✓" : "✗"} ${n} / ${total}：${came.name}` : `${n} / ${total}`),
  launch: "启动",
  elsewhere: (sizes) => `${sizes} 时`,
  ownSizes: "回到原来的尺寸",
  waiting: "正在跟踪 kernel…",
  none: "还没有可以显示的启动。kernel 一旦能运行，这里就显示它的各个程序读写哪些内存。",
  noneDocument: (keys) =>
    `还没有单元格启动过 kernel：要有 kernel[(8,)](x, out, n, BLOCK=64) 这样的调用。把光标放进一个启动 kernel 的单元格，按 ${keys}，或者运行全部单元格，这里就会逐步显示每个程序读写哪些内存。`,
  outdated: "下面是最后一个可以运行的版本：",
  touchedBy: (name, program, from) => `${zhSince(from)}到这一步为止，${program} 没有访问 ${name}`,
  inAll: (who, did, { from, masked, outside }) => {
    const each = did.map(({ kind, what, elements, accesses }) =>
      `${accesses > 1 ? `分 ${accesses.toLocaleString("en")} 次` : ""}${zhVerbs[kind]} ${elements === undefined ? what : `${what} 中的 ${elements.toLocaleString("en")} 个元素`}`);
    const also = [masked && `最后一次有 ${masked.toLocaleString("en")} 个通道被掩码屏蔽`, outside && `共有 ${outside.toLocaleString("en")} 个通道越界`];
    return [`${zhSince(from)}${who} ${each.join("，并")}`, ...also].filter(Boolean).join("；");
  },
  allSentence: (name, drawn, written, several, read) =>
    `${name}：${drawn === undefined ? "" : `所画的 ${drawn.toLocaleString("en")} 个元素中，`}写入 ${written.toLocaleString("en")} 个元素${several ? `，其中 ${several.toLocaleString("en")} 个由多个程序写入` : ""}，读取 ${read.toLocaleString("en")} 个元素`,
  allSampled: (rows, columns) => `每格代表 ${rows} × ${columns} 个元素。`,
  stop: "。",
  pictureRole: "内存中的张量",
  pictureKeys: "用方向键在元素之间移动；按 Enter 查看元素的来历。",
  why: "为什么？",
  whyTitle: (element, got) => `${element} = ${got}`,
  whyExpected: (value) => `应为 ${value}`,
  whyWaiting: "正在追溯这个元素…",
  whyFailed: "没能追溯这个元素，请再试一次。",
  whyClose: "关闭（Escape）",
  whyList: (element) => `${element} 的来历`,
  whyLeft: (n) => `另有 ${n.toLocaleString("en")} 个操作数没有列出。`,
  past: "超出末尾",
  valueBefore: "之前",
  valueAfter: "之后",
  valueBoth: "值",
  readBy: (who) => `由${who}读取`,
  writtenBy: (who) => `由${who}写入`,
  several: "多个程序",
  nobody: "没有程序",
  plane: (values, query, key) => `${values}：${query} 与 ${key} 的每一对元素各有一个值`,
  legend: "图例",
  legendRead: "读取", legendWritten: "写入", legendMasked: "被掩码屏蔽", legendOutside: "越界", legendSeveral: "多个程序", legendHeld: "本次迭代的块",
  timeline: "程序的步骤",
  first: "第一步", back: "上一步", forward: "下一步", last: "最后一步",
  lineBack: "上一行", lineForward: "下一行",
  timelineKeys: "左右方向键按操作移动，加 Shift 按行移动；上下方向键切换程序；Enter 显示值。",
  loop: (line) => `第 ${line} 行的循环`,
  iterationOf: (n, last) => `第 ${n} 次迭代，编号 0 到 ${last}`,
  firstProblem: "第一个问题",
  breakpoints: "断点", lanes: "并列显示程序",
  stepOf: (n, total) => `第 ${n} 步，共 ${total} 步`,
  line: (n) => `第 ${n} 行`,
  toLine: (n) => `显示第 ${n} 行`,
  iteration: (path) => `第 ${path} 次迭代`,
  noSteps: "这个程序还没有执行任何操作。",
  lookWholly: "运行到结束", stopLook: "停止",
  lookStopped: "已停止；下次编辑后 newt 会重新跟踪这个 kernel。",
  lookFailed: "newt 未能跟踪完这个版本的 kernel，已放弃；下次编辑后会重试。",
  stepsSoFar: (n) => `已执行 ${n.toLocaleString("en")} 步`,
  programsSoFar: (n, total) => `已完成 ${n.toLocaleString("en")} / ${total.toLocaleString("en")} 个程序`,
  lineValues: "在代码中显示值",
  sanitize: "查找竞争、未定义的通道、NaN 和回绕的整数",
  table: "以表格显示各步骤",
  colLine: "行", colOperation: "操作", colType: "类型", colValue: "值", colAccess: "内存",
};

/** m holds the texts of the memory view in the current language. */
export const m = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
