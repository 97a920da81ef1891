import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts about the mistake in an answer, which are fetched with the first verdict that fails.
const en = {
  looking: "Looking for the mistake…",
  unknown: "No single change mends it: the tests below say what is wrong.",
  show: "Show the change",
  hide: "Hide the change",
  apply: "Make this change",
  again: (n: number) => `${n} answers in a row had a mistake of this kind.`,
  card: (concept: string) => `See the idea without code: ${concept}`,
  change: "The change",
  colon: ": ",
  stop: ".",
};

const zh: Texts<typeof en> = {
  looking: "正在查找错在哪里…",
  unknown: "没有哪一处改动能让它通过，下面的测试说明哪里不对。",
  show: "显示改法",
  hide: "收起改法",
  apply: "就这样改",
  again: (n: number) => `连续 ${n} 个答案都是这一类错误。`,
  card: (concept: string) => `不用代码看懂这个概念：${concept}`,
  change: "改法",
  colon: "：",
  stop: "。",
};

/** s holds the texts in the current language. */
export const s = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
