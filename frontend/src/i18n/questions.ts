import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of the questions, which are fetched with the first puzzle that is opened.
const en = {
  title: "A question",
  notNow: "Not now",
  close: "Close",
  none: "No more questions",
  show: "Show me",
  code: "The program",
  cells: {
    text: (tensor: string, program: string) => `Before you run it: which cells of \`${tensor}\` does ${program} write?`,
    begin: "Answer in the picture",
    chooseEnds: (tensor: string) => `Choose the first and the last of them in the picture of ${tensor}, or the same cell twice`,
    chooseOne: (tensor: string) => `Choose one of them in the picture of ${tensor}`,
    how: (choose: string) => `${choose}: click or tap, or use the arrow keys and Enter.`,
    from: (cell: string) => `From \`${cell}\` to … choose the last cell.`,
    right: (truth: string, cut: string) => `Right: ${truth} ${cut}`,
    truth: (program: string, first: string, last: string, n: number) => `${program} writes \`${first}\` to \`${last}\`, ${plural(n, "cell", "cells")}.`,
    truthOfOne: (program: string, cell: string) => `${program} writes \`${cell}\`.`,
    fewer: (program: string, n: number, tensor: string) => `That is fewer than the ${n.toLocaleString("en")} of ${program}, since \`${tensor}\` ends there.`,
    other: (program: string) => `These are the cells of ${program}. Programs are numbered from 0.`,
    more: "It writes these, and more.",
    less: "It does not write all of these.",
    differs: "It writes other cells.",
  },
  order: {
    text: "As a first step, if you like: put the lines of a solution in order.",
    begin: "Show the lines",
    how: "The arrow keys and the buttons move a line; a mouse can drag it. Several orders can be right.",
    up: "Move up",
    down: "Move down",
    place: (n: number, of: number) => `${n} of ${of}`,
    check: "Run in this order",
    checking: "Running…",
    right: (tests: number) => `In this order the kernel passes ${tests === 1 ? "its test" : `all ${tests} tests`}.`,
    problem: (n: number, headline: string) => (n ? `Not yet. Part ${n}: ${headline}.` : `Not yet: ${headline}.`),
    failed: "newt could not run this order. Try again.",
  },
  refused: {
    text: "newt refuses a short program. Do you see why?",
    begin: "Show the program",
    program: "A program that newt refuses",
    reasons: "Why is it refused?",
    loading: "Asking newt…",
    failed: "newt could not check the program. Reload the page to try again.",
    right: (said: string) => `Right. ${said} Put right:`,
    other: (headline: string) => `That is why newt refuses another program: ${headline}.`,
  },
};

const zh: Texts<typeof en> = {
  title: "一个问题",
  notNow: "现在不答",
  close: "关闭",
  none: "不再提问",
  show: "给我看答案",
  code: "程序",
  cells: {
    text: (tensor, program) => `运行之前想一想：${program} 写入 \`${tensor}\` 的哪些格子？`,
    begin: "在图上作答",
    chooseEnds: (tensor) => `请在 ${tensor} 的图上选出其中的第一格和最后一格，只有一格就选两次`,
    chooseOne: (tensor) => `请在 ${tensor} 的图上选出其中的一格`,
    how: (choose) => `${choose}：点一下，或者用方向键和 Enter。`,
    from: (cell) => `从 \`${cell}\` 到……请选最后一格。`,
    right: (truth, cut) => `对：${truth}${cut}`,
    truth: (program, first, last, n) => `${program} 写入 \`${first}\` 到 \`${last}\`，共 ${n.toLocaleString("en")} 格。`,
    truthOfOne: (program, cell) => `${program} 写入 \`${cell}\`。`,
    fewer: (program, n, tensor) => `比${program}的 ${n.toLocaleString("en")} 格少，因为 \`${tensor}\` 到此为止。`,
    other: (program) => `这些是${program} 的格子。程序从 0 开始编号。`,
    more: "它写入这些格子，还有别的。",
    less: "它并不写入所有这些格子。",
    differs: "它写入的是别的格子。",
  },
  order: {
    text: "可以先做这一步：把一个解答的各行排好顺序。",
    begin: "显示这些行",
    how: "用方向键或按钮移动一行，也可以用鼠标拖动。正确的顺序可能不止一种。",
    up: "上移",
    down: "下移",
    place: (n, of) => `第 ${n} 个，共 ${of} 个`,
    check: "按这个顺序运行",
    checking: "正在运行…",
    right: (tests) => `按这个顺序，kernel 通过了全部 ${tests} 个测试。`,
    problem: (n, headline) => (n ? `还不对。第 ${n} 部分：${headline}。` : `还不对：${headline}。`),
    failed: "没能运行这个顺序，请再试一次。",
  },
  refused: {
    text: "newt 拒绝了一小段程序。你看出原因了吗？",
    begin: "显示程序",
    program: "被 newt 拒绝的程序",
    reasons: "它为什么被拒绝？",
    loading: "正在检查…",
    failed: "没能检查这段程序，请重新加载页面再试。",
    right: (said) => `对。${said}改正后：`,
    other: (headline) => `这是另一段程序被拒绝的原因：${headline}。`,
  },
};

/** q holds the texts in the current language. */
export const q = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
