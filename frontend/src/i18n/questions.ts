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
  cells: {
    text: (tensor: string, program: string) => `Before you run it: which cells of \`${tensor}\` does ${program} write?`,
    begin: "Answer in the picture",
    choose: (tensor: string) => `Choose the first and the last cell in the picture of ${tensor}`,
    how: (choose: string) => `${choose}: click or tap them, or go there with the arrow keys and press Enter.`,
    corner: (cell: string) => `From \`${cell}\` to … choose the last cell.`,
    right: (truth: string, cut: string) => `Right: ${truth} ${cut}`,
    truth: (program: string, first: string, last: string, n: number) => `${program} writes \`${first}\` to \`${last}\`, ${plural(n, "cell", "cells")}.`,
    fewer: (program: string, n: number, tensor: string) => `That is fewer than the ${n.toLocaleString("en")} of ${program}, since \`${tensor}\` ends there.`,
    other: (program: string) => `These are the cells of ${program}. Programs are numbered from 0.`,
    more: "It writes these, and more.",
    less: "It does not write all of these.",
    differs: "It writes other cells.",
    show: "Show me",
  },
};

const zh: Texts<typeof en> = {
  title: "一个问题",
  notNow: "现在不答",
  close: "关闭",
  none: "不再提问",
  cells: {
    text: (tensor, program) => `运行之前想一想：${program} 写入 \`${tensor}\` 的哪些格子？`,
    begin: "在图上作答",
    choose: (tensor) => `请在 ${tensor} 的图上选出第一格和最后一格`,
    how: (choose) => `${choose}：点一下格子，或者用方向键移到那里再按 Enter。`,
    corner: (cell) => `从 \`${cell}\` 到……请选最后一格。`,
    right: (truth, cut) => `对：${truth}${cut}`,
    truth: (program, first, last, n) => `${program} 写入 \`${first}\` 到 \`${last}\`，共 ${n.toLocaleString("en")} 格。`,
    fewer: (program, n, tensor) => `比${program}的 ${n.toLocaleString("en")} 格少，因为 \`${tensor}\` 到此为止。`,
    other: (program) => `这些是${program} 的格子。程序从 0 开始编号。`,
    more: "它写入这些格子，还有别的。",
    less: "它并不写入所有这些格子。",
    differs: "它写入的是别的格子。",
    show: "给我看答案",
  },
};

/** q holds the texts in the current language. */
export const q = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
