import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the dialog for puzzles of one's own, which is fetched when it is first wanted.
const en = {
  ownTitle: "Your own puzzle",
  ownLead: "A puzzle is a folder of a few text files. Make one from a kernel on the free page, or start from a copy of one of newt’s own. It stays in this browser until you share it as a link.",
  ownFree: "Go to the free page",
  ownTemplates: "Start from one of newt’s own",
  ownCopy: (title: string) => `Edit a copy of ${title}`,
  ownTemplate: (title: string) => `Download ${title} as a zip`,
  ownZip: "zip",
  ownDrop: "Drop the folder, its zip or its files here, or",
  ownFolder: "Choose a folder",
  ownFiles: "Choose files or a zip",
  ownSound: (title: string) => `“${title}” is valid: its solution passes and its starter does not.`,
  ownTry: "Open it",
  ownEdit: "Edit",
  ownKept: "In this browser",
  ownRefused: {
    none: () => "There are no puzzle files there: .json, .py, .md, .svg, or a zip of them.",
    many: () => "There are more than 32 files. A puzzle needs far fewer; choose its own folder.",
    large: (file: string) => `${file} is larger than 64 KiB.`,
    encoding: (file: string) => `${file} is not UTF-8 text.`,
    zip: (file: string) => `${file} cannot be read: it is no zip, or holds more than 32 files or files larger than 64 KiB.`,
  },
  authorLead: "Say in both statements what the kernel computes; everything else works already. The tests stand in puzzle.json, what they expect comes from spec.py, and starter.py is what a reader begins with. The puzzle is checked while you write.",
  authorFiles: "Files of the puzzle",
  authorZip: "Download as a zip",
  authorDiscard: "Discard this draft",
  authorUndo: "Leave it as it was",
};

const zh: Texts<typeof en> = {
  ownTitle: "自己出题",
  ownLead: "一道题就是一个文件夹，里面有几个文本文件。可以在自由页上用一个 kernel 生成，也可以从 newt 自带的题复制一份来改。题目只保存在本浏览器，直到你用链接分享出去。",
  ownFree: "去自由页",
  ownTemplates: "从 newt 自带的题开始",
  ownCopy: (title) => `复制“${title}”来改`,
  ownTemplate: (title) => `下载“${title}”的 zip`,
  ownZip: "zip",
  ownDrop: "把文件夹、它的 zip 或其中的文件拖到这里，或者",
  ownFolder: "选择文件夹",
  ownFiles: "选择文件或 zip",
  ownSound: (title) => `“${title}”没有问题：答案能通过，起始代码不能通过。`,
  ownTry: "打开",
  ownEdit: "编辑",
  ownKept: "保存在本浏览器的题目",
  ownRefused: {
    none: () => "没有找到题目文件（.json、.py、.md、.svg 或它们的 zip）。",
    many: () => "文件超过 32 个，一道题用不了这么多，请选择题目自己的文件夹。",
    large: (file) => `${file} 超过 64 KiB。`,
    encoding: (file) => `${file} 不是 UTF-8 文本。`,
    zip: (file) => `无法读取 ${file}：它不是 zip，或者其中文件超过 32 个、单个超过 64 KiB。`,
  },
  authorLead: "请在两份题目说明里写清 kernel 要计算什么，其余部分都已经能用。测试写在 puzzle.json 里，期望的结果由 spec.py 算出，starter.py 是读者一开始看到的代码。编写过程中会自动检查题目。",
  authorFiles: "题目的文件",
  authorZip: "下载为 zip",
  authorDiscard: "放弃这份草稿",
  authorUndo: "保持原样",
};

/** o is the table of the current language. */
export const o = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
