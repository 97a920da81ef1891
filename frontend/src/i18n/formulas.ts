import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the two formulas of a wrong element, which are fetched when they are first wanted.
const en = {
  yours: "Yours",
  expected: "Expected",
  outside: (of: string) => `${of} (outside)`,
  undefined: "an undefined value",
  more: "…",
  show: (tensor: string) => `Show it in the picture of ${tensor}`,
  notStored: "No program stores a value there.",
  notFollowed: "newt cannot write how this value came about as a formula.",
  differHere: "What differs is marked.",
  says: {
    differ: "What differs is marked, here and in the pictures.",
    same: "Both are the same formula of the same elements: look for rounding or overflow, and at dtypes.",
    sameElements: "Both come from the same elements, and the formulas are too long to be written: look at how the elements are combined.",
    readOthers: "The formulas are too long to be written. These are the elements that they come from; what differs is marked.",
    notStored: "The elements that it should come from are marked in the pictures.",
    notFollowed: "The elements that it should come from are marked in the pictures.",
  } as Readonly<Record<string, string>>,
};

const zh: Texts<typeof en> = {
  yours: "你的",
  expected: "应为",
  outside: (of) => `${of}（越界）`,
  undefined: "未定义的值",
  more: "…",
  show: (tensor) => `在 ${tensor} 的图中显示`,
  notStored: "没有程序在这里写入值。",
  notFollowed: "newt 无法把这个值的由来写成公式。",
  differHere: "不同之处已标出。",
  says: {
    differ: "不同之处已在这里和图中标出。",
    same: "两边是相同元素的同一个公式：请检查舍入、溢出和 dtype。",
    sameElements: "两边来自相同的元素，公式太长，无法写出：请检查这些元素是怎样组合的。",
    readOthers: "公式太长，无法写出。下面是它们所用的元素，不同之处已标出。",
    notStored: "它应当来自的元素已在图中标出。",
    notFollowed: "它应当来自的元素已在图中标出。",
  },
};

/** f holds the texts of formulas in the current language. */
export const f = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
