import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the times of an answer beside a reference's, which are fetched with the first answer that is graded.
const en = {
  title: "How long it takes",
  time: (name: string) => `Time it on ${name}`,
  again: "Time it again",
  measuring: (name: string, number: number, of: number) => `Measuring on ${name}: ${number} of ${of}…`,
  notGPU: (name: string) => `${name} measures no times of a GPU. Choose another device.`,
  failed: (which: "reference" | "answer", why: string) => `The ${which} could not be timed${why ? `: ${why}` : "."}`,
  place: (times: string) => `It takes ${times} × as long as the reference.`,
  faster: (times: string) => `It is ${times} × as fast as the reference.`,
  same: "It takes as long as the reference: the difference is within the spread.",
  differ: "The answer and the reference leave different values at these sizes, so that their times cannot be compared.",
  kernels: { reference: "Reference", answer: "Your answer" },
  kernel: "Kernel", median: "Median", quartiles: "Quartiles", fastest: "Fastest", launches: "Launches",
  how: (name: string, sizes: string) => `On ${name}${sizes && `, with ${sizes}`}. The reference is newt’s first solution. Both were measured in turn, twice; the second time is shown.`,
};

const zh: Texts<typeof en> = {
  title: "要用多久",
  time: (name) => `在 ${name} 上计时`,
  again: "再测一次",
  measuring: (name, number, of) => `正在 ${name} 上测量：${number} / ${of}…`,
  notGPU: (name) => `${name} 测不了 GPU 的用时，请选择别的设备。`,
  failed: (which, why) => `${which === "answer" ? "你的答案" : "参考答案"}无法计时${why ? `：${why}` : "。"}`,
  place: (times) => `用时是参考答案的 ${times} 倍。`,
  faster: (times) => `速度是参考答案的 ${times} 倍。`,
  same: "与参考答案一样快：差别在波动范围之内。",
  differ: "在这些尺寸下，你的答案与参考答案写出的值不同，用时无法比较。",
  kernels: { reference: "参考答案", answer: "你的答案" },
  kernel: "kernel", median: "中位数", quartiles: "四分位数", fastest: "最快", launches: "测量次数",
  how: (name, sizes) => `在 ${name} 上${sizes && `，${sizes}`}。参考答案是 newt 的第一个解答。两者轮流各测两次，这里是第二次的结果。`,
};

/** e holds the texts in the current language. */
export const e = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
