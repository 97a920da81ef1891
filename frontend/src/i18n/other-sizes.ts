import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts about an answer at other sizes than its tests', which are fetched with the first verdict that passes.
const en = {
  ask: "Is it right at other sizes, too?",
  trying: "Trying other sizes…",
  failed: "Other sizes could not be tried.",
  look: (sizes: string) => `Look at ${sizes} in Memory`,
};

const zh: Texts<typeof en> = {
  ask: "换成其他尺寸也正确吗？",
  trying: "正在尝试其他尺寸…",
  failed: "无法尝试其他尺寸。",
  look: (sizes) => `在“内存”中查看 ${sizes}`,
};

/** s holds the texts in the current language. */
export const s = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
