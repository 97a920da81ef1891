import { computed } from "@preact/signals";
import { lang } from "../state/settings";
import { plural } from "./en";
import type { Texts } from "./table";

// Texts of the parts of the page that are fetched when they are first wanted: devices, PTX.
const en = {
  losses: {
    unreachable: "The runner does not answer. Is its address right, is it running, and does it take pages of this site (newt serve --origin) and clients of other machines (--token-file)?",
    refused: "The runner refused the connection.",
    lost: "The connection to the runner was lost and could not be made again within 20 seconds.",
    odd: "What answers there does not speak this page’s version of the runner’s protocol.",
    closed: "The connection to the runner was closed.",
    device: "The runner no longer has the chosen device. Choose another one.",
  },
  lossSafe: "Your text is as you left it, and Run still runs it in this page.",
  deviceStages: { connecting: "connecting", lost: "reconnecting", uploading: "sending", compiling: "compiling", measuring: "measuring", running: "running", queued: "waiting" },
  deviceQueued: (position: number) => (position === 0 ? "next in the queue" : `${plural(position, "job", "jobs")} before this one`),
  devicePrograms: (done: number, total: number) => `${done.toLocaleString("en")} of ${total.toLocaleString("en")} programs`,
  deviceLead: (keys: string) => `Run always runs in this page. ${keys} runs on the device chosen here, and compares with this page.`,
  devicePage: "This page only",
  devicePageNote: "nothing leaves this browser",
  deviceServer: "This server",
  deviceServerNone: "lends no devices",
  deviceAdd: "Another runner",
  deviceAddress: "Address",
  deviceToken: "Token",
  deviceConnect: "Connect",
  deviceDriver: (version: string) => `driver ${version}`,
  devicePrivacy: "A run on a device sends the compiled kernel and its tensors to that runner, and not your text. Addresses and tokens are kept in this browser only, and are never part of a link.",
  runnerStates: { connecting: "connecting…", ready: "connected", lost: "reconnecting…", closed: "not connected" },
  addressProblems: {
    empty: "Write the runner’s address, such as ws://lab:8080.",
    scheme: "This is no address of a runner. It looks like ws://lab:8080 or wss://lab.example.",
    mixed: "This page came over HTTPS, so browsers let it talk only to runners with wss://, and to this machine’s own.",
  },
  ranOn: (name: string, launches: number) => `On ${name}: ${plural(launches, "launch", "launches")}`,
  comparedSame: (elements: number, launches: number) =>
    `All ${plural(elements, "element", "elements")} of ${plural(launches, "launch", "launches")} equal those of this page’s own run.`,
  comparedDifferent: (different: number, elements: number, most: string) =>
    `${plural(different, "element", "elements")} of ${elements.toLocaleString("en")} differ from this page’s own run, by ${most} at most. Another order of rounding does that; the verdict goes by the tolerance.`,
  comparedFirst: (tensor: string, index: number, page: string, device: string) => `The first: ${tensor}, element ${index}: ${page} in this page, ${device} there.`,
  compiledCode: (registers: number, shared: string, ptx: string, sass: string, cached: boolean) =>
    `${plural(registers, "register", "registers")} a thread, ${shared} of shared memory; PTX in ${ptx}, machine code in ${sass}${cached ? " (kept from an earlier run)" : ""}.`,
  compiledSpills: (bytes: number) => `${plural(bytes, "byte", "bytes")} of each thread’s registers are spilled to memory, which is slow. Smaller tiles or more warps help.`,
  compiledLog: "What the driver’s compiler said",
  timeMedian: "Median",
  timeQuartiles: "Quartiles",
  timeMin: "Fastest",
  timeCount: "Launches measured",
  timeBandwidth: "Bandwidth",
  timeClocks: "Clocks: processors, memory",
  timeDriver: "Driver",
  timeTable: "Times of the first launch",
  timeProducts: (arithmetic: string) => `Products, ${arithmetic}`,
  timeShareOf: (percent: string, ceiling: string) => `, ${percent} % of ${ceiling}`,
  timeSentence: (median: string, n: number, low: string, high: string) => `${median} at the median of ${plural(n, "launch", "launches")}; half of them between ${low} and ${high}.`,
  timeHow: (clock: string, flushedKb: number) =>
    `Measured by ${clock === "events" ? "the device’s own clock" : "the runner’s clock"}${flushedKb ? `, with ${Math.round(flushedKb / 1024)} MiB of cache cleared before each launch` : ""}.`,
  timeBytes: (read: string, written: string) => `Bandwidth counts each element that the launch touches once: ${read} read and ${written} written, as this page’s own run saw it.`,
  codeTarget: "For",
  codeOfRun: (name: string) => `as run on ${name}`,
  codeNone: "The kernel does not compile for these arguments; see the problems in the text.",
  codeFailed: "The compiler to PTX could not be loaded.",
  codeWorking: "Compiling…",
  codeSummary: (lines: number, threads: number, shared: string, took: string) =>
    `${plural(lines, "line", "lines")}, ${threads} threads a program, ${shared} of shared memory; compiled in this page in ${took}, with every check of bounds. No GPU was used.`,
  codeRunSummary: (lines: number) => `${plural(lines, "line", "lines")}; checks that are proved needless for that launch are left out.`,
  codeKeys: "Arrow keys move between lines and show where they come from.",
  codeLine: (n: number) => `from line ${n}`,
};

const zh: Texts<typeof en> = {
  losses: {
    unreachable: "运行器没有应答。请检查地址是否正确、运行器是否已启动、是否允许本站页面（newt serve --origin）以及其他机器的客户端（--token-file）。",
    refused: "运行器拒绝了连接。",
    lost: "与运行器的连接中断，20 秒内未能恢复。",
    odd: "对方所用的运行器协议版本与本页面不符。",
    closed: "与运行器的连接已关闭。",
    device: "运行器上已没有所选的设备，请另选一个。",
  },
  lossSafe: "您的代码原样保留，仍可点击“运行”在本页面内运行。",
  deviceStages: { connecting: "正在连接", lost: "正在重新连接", uploading: "正在发送", compiling: "正在编译", measuring: "正在测量", running: "正在运行", queued: "正在排队" },
  deviceQueued: (position: number) => (position === 0 ? "下一个就轮到" : `前面还有 ${position} 个任务`),
  devicePrograms: (done: number, total: number) => `已完成 ${done} / ${total} 个程序`,
  deviceLead: (keys: string) => `“运行”始终在本页面内进行。${keys} 则在这里选定的设备上运行，并与本页面的结果比较。`,
  devicePage: "仅限本页面",
  devicePageNote: "一切都留在浏览器内",
  deviceServer: "本站服务器",
  deviceServerNone: "没有提供设备",
  deviceAdd: "其他运行器",
  deviceAddress: "地址",
  deviceToken: "令牌",
  deviceConnect: "连接",
  deviceDriver: (version: string) => `驱动 ${version}`,
  devicePrivacy: "在设备上运行时，编译好的内核及其张量会发送到该运行器，您的源代码不会。地址和令牌只保存在本浏览器中，绝不会写入链接。",
  runnerStates: { connecting: "正在连接…", ready: "已连接", lost: "正在重新连接…", closed: "未连接" },
  addressProblems: {
    empty: "请填写运行器的地址，例如 ws://lab:8080。",
    scheme: "这不是运行器的地址。正确的形式如 ws://lab:8080 或 wss://lab.example。",
    mixed: "本页面经由 HTTPS 打开，浏览器只允许它连接 wss:// 的运行器，以及本机的运行器。",
  },
  ranOn: (name: string, launches: number) => `在 ${name} 上：启动 ${launches} 次`,
  comparedSame: (elements: number, launches: number) => `${launches} 次启动的全部 ${elements.toLocaleString("en")} 个元素与本页面的运行结果相同。`,
  comparedDifferent: (different: number, elements: number, most: string) =>
    `${elements.toLocaleString("en")} 个元素中有 ${different.toLocaleString("en")} 个与本页面的运行结果不同，最大相差 ${most}。舍入次序不同便会如此；判定以容差为准。`,
  comparedFirst: (tensor: string, index: number, page: string, device: string) => `第一处：${tensor} 的第 ${index} 个元素，本页面为 ${page}，设备上为 ${device}。`,
  compiledCode: (registers: number, shared: string, ptx: string, sass: string, cached: boolean) =>
    `每线程 ${registers} 个寄存器，共享内存 ${shared}；生成 PTX 用时 ${ptx}，生成机器码用时 ${sass}${cached ? "（沿用先前的结果）" : ""}。`,
  compiledSpills: (bytes: number) => `每个线程有 ${bytes} 字节的寄存器溢出到内存，速度会变慢。可改用更小的块或更多的 warp。`,
  compiledLog: "驱动编译器的输出",
  timeMedian: "中位数",
  timeQuartiles: "四分位数",
  timeMin: "最快",
  timeCount: "测量次数",
  timeBandwidth: "带宽",
  timeClocks: "时钟：处理器、显存",
  timeDriver: "驱动",
  timeTable: "第一次启动的用时",
  timeProducts: (arithmetic: string) => `矩阵乘（${arithmetic}）`,
  timeShareOf: (percent: string, ceiling: string) => `，为上限 ${ceiling} 的 ${percent} %`,
  timeSentence: (median: string, n: number, low: string, high: string) => `测量 ${n} 次，中位数为 ${median}；其中一半介于 ${low} 与 ${high} 之间。`,
  timeHow: (clock: string, flushedKb: number) =>
    `由${clock === "events" ? "设备自身的时钟" : "运行器的时钟"}测得${flushedKb ? `，每次启动前清空 ${Math.round(flushedKb / 1024)} MiB 缓存` : ""}。`,
  timeBytes: (read: string, written: string) => `带宽按启动所触及的每个元素各计一次：读 ${read}，写 ${written}，由本页面自己的运行统计得出。`,
  codeTarget: "目标",
  codeOfRun: (name: string) => `在 ${name} 上运行的版本`,
  codeNone: "内核无法按这些参数编译，请查看代码中的问题。",
  codeFailed: "PTX 编译器未能加载。",
  codeWorking: "正在编译…",
  codeSummary: (lines: number, threads: number, shared: string, took: string) =>
    `共 ${lines} 行，每个程序 ${threads} 个线程，共享内存 ${shared}；在本页面内编译，用时 ${took}，保留全部越界检查，未使用 GPU。`,
  codeRunSummary: (lines: number) => `共 ${lines} 行；对该次启动已证明不必要的检查均已省去。`,
  codeKeys: "用方向键逐行移动，查看每一行的出处。",
  codeLine: (n: number) => `出自第 ${n} 行`,
};

/** d is the table of the current language. */
export const d = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
