import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the dialog about versions of Triton, which is fetched when it is first wanted.
const en = {
  title: "Versions of Triton",
  lead: "What each version makes of this text. The text is checked and run for the one that is marked; a line such as # triton: 3.9 in it says which, and goes along when it is shared.",
  version: "Triton",
  verdict: "Verdict",
  verdicts: { accepts: "accepts it", warns: "warns", refuses: "refuses it", unknown: "newt cannot say" },
  chosen: "in use",
  same: (version: string) => `for the same reasons as ${version}`,
  line: (n: number) => `line ${n}`,
  kept: "Left as they are",
  checking: "Checking …",
  failed: "The text could not be checked.",
};

const zh: Texts<typeof en> = {
  title: "Triton 的各个版本",
  lead: "各个版本如何看待这段代码。代码按带标记的版本检查和运行；其中一行（如 # triton: 3.9）指定版本，分享时一并带上。",
  version: "Triton",
  verdict: "结论",
  verdicts: { accepts: "接受", warns: "警告", refuses: "拒绝", unknown: "newt 无法判断" },
  chosen: "使用中",
  same: (version: string) => `原因与 ${version} 相同`,
  line: (n: number) => `第 ${n} 行`,
  kept: "保持原样的",
  checking: "正在检查……",
  failed: "无法检查这段代码。",
};

/** v are the texts in the current language. */
export const v = computed(() => (lang.value === "zh" ? zh : en));
