import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of the stages of a kernel, which are fetched when its code is first looked at.
const en = {
  show: "Show",
  names: {
    lower: "IR, as lowered", fold: "IR after fold", simplify: "IR after simplify", licm: "IR after licm", cse: "IR after cse",
    tidy: "IR after tidy", dce: "IR after dce", plan: "Plan", ptx: "PTX", sass: "SASS",
  },
  unchanged: (name: string) => `${name} (no change)`,
  whys: {
    lower: "What the kernel means for these arguments, an operation for each expression.",
    fold: "Constant folding: what is known is computed, with the interpreter’s own arithmetic.",
    simplify: "What changes nothing goes: identities, branches not taken, loops of a single iteration.",
    licm: "Loop-invariant code motion: what every iteration would compute again is computed once before the loop.",
    cse: "Common subexpression elimination: the same value is computed once.",
    tidy: "Simplified once more, now that equal values are one.",
    dce: "Dead code elimination: what nobody uses goes. PTX is made from this.",
    plan: "What the PTX will do: layouts, pipelines, shared memory, barriers. The emission of PTX decides nothing more.",
    ptx: "",
    sass: "The instructions of the GPU itself, as the runner of the last run prints them.",
  },
  sassAsk: (name: string, keys: string) => `Press ${keys} to run on ${name}: its runner then prints the machine code as well.`,
  sassNowhere: "Machine code is printed by runners that have nvdisasm of the CUDA toolkit. Choose a device of one, and run there.",
  sassLong: "The machine code is longer than the runner shows.",
  sassSummary: (lines: number, arch: string, name: string, assembled: boolean) =>
    `${plural(lines, "line", "lines")} for ${arch}, ${assembled ? `which ptxas on the machine of ${name} has made of the PTX; it was not run` : `as run on ${name}`}.`,
  compare: "Compare",
  with: "With",
  warps: "num_warps",
  stages: "num_stages",
  asLaunched: "as launched",
  text: "Text",
  texts: { same: "the same", run: "of the last run", starter: "of the beginning", kept: "an earlier one" },
  otherText: "another text",
  otherProblem: "The text that it is compared with has no kernel that compiles.",
  alike: "The two do not differ.",
  differ: (added: number, removed: number, at: number, line: number) =>
    `+${added} −${removed} ${added + removed === 1 ? "line" : "lines"}; the first is line ${at}${line ? `, from line ${line} of the code` : ""}.`,
  numbering: "The numbers of values, registers and labels are left out of account.",
  difference: (shown: string, other: string) => `Differences: ${shown}, compared with ${other}`,
  next: "Next difference",
  previous: "Previous difference",
  skipped: (count: number) => `${plural(count, "line", "lines")} alike`,
};

const zh: Texts<typeof en> = {
  show: "显示",
  names: {
    lower: "刚降级的 IR", fold: "fold 之后的 IR", simplify: "simplify 之后的 IR", licm: "licm 之后的 IR", cse: "cse 之后的 IR",
    tidy: "tidy 之后的 IR", dce: "dce 之后的 IR", plan: "计划", ptx: "PTX", sass: "SASS",
  },
  unchanged: (name) => `${name}（没有变化）`,
  whys: {
    lower: "kernel 对这些参数的含义：每个表达式对应一个操作。",
    fold: "常量折叠：已知的值用解释器自己的算术算出。",
    simplify: "去掉不起作用的操作：恒等运算、不会走到的分支、只有一次迭代的循环。",
    licm: "循环不变量外提：每次迭代都会重算的值，在循环之前只算一次。",
    cse: "公共子表达式消除：同一个值只算一次。",
    tidy: "相同的值合并之后，再化简一遍。",
    dce: "死代码消除：去掉没有人使用的值。PTX 由此生成。",
    plan: "PTX 将要做的事：布局、流水线、共享内存、屏障。之后生成 PTX 时不再做决定。",
    ptx: "",
    sass: "GPU 自己的指令，由上次运行所在的运行器打印。",
  },
  sassAsk: (name, keys) => `按 ${keys} 在 ${name} 上运行：它的运行器会同时打印机器码。`,
  sassNowhere: "机器码由装有 CUDA 工具包 nvdisasm 的运行器打印。请选择这样的设备并在上面运行。",
  sassLong: "机器码的长度超过了运行器所能显示的。",
  sassSummary: (lines, arch, name, assembled) =>
    `共 ${lines} 行，面向 ${arch}，${assembled ? `由 ${name} 所在机器上的 ptxas 从 PTX 生成，并没有运行` : `即在 ${name} 上运行的代码`}。`,
  compare: "比较",
  with: "对照",
  warps: "num_warps",
  stages: "num_stages",
  asLaunched: "与启动相同",
  text: "文本",
  texts: { same: "相同", run: "上次运行时的", starter: "最初的", kept: "之前的" },
  otherText: "另一份文本",
  otherProblem: "用来比较的文本里没有能编译的 kernel。",
  alike: "两者没有差别。",
  differ: (added, removed, at, line) => `+${added} −${removed} 行；第一处在第 ${at} 行${line ? `，来自代码第 ${line} 行` : ""}。`,
  numbering: "值、寄存器和标签的编号不计入差别。",
  difference: (shown, other) => `差别：${shown}，对照 ${other}`,
  next: "下一处差别",
  previous: "上一处差别",
  skipped: (count) => `${count} 行相同`,
};

/** g holds the texts in the current language. */
export const g = computed(() => (lang.value === "zh" ? zh : en));
