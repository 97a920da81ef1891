import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the comparison of an answer with ours, which are fetched with the first answer that passes.
const en = {
  title: (several: boolean) => (several ? "Your answer next to ours, and another way to do it" : "Your answer next to ours"),
  nearest: (title: string) => `Most like yours: ${title}`,
  another: (title: string) => `Another way: ${title}`,
  legend: "− yours, + ours; the rest is the same.",
  alike: "Both are the same, line by line.",
};

const zh: Texts<typeof en> = {
  title: (several) => (several ? "你的答案和参考答案对照，以及另一种做法" : "你的答案和参考答案对照"),
  nearest: (title) => `和你的最接近：${title}`,
  another: (title) => `另一种做法：${title}`,
  legend: "− 你的，+ 参考的；其余相同。",
  alike: "两者每一行都相同。",
};

/** e holds the texts in the current language. */
export const e = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
