import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

const n = (count: number) => count.toLocaleString("en");

// Texts of the GPU lens, which is fetched when it is first looked at.
const en = {
  working: "Simulating the launch …",
  stop: "Stop",
  none: "The lens shows what a launch asks of a GPU. There is no launch yet that can be simulated.",
  broken: "the simulator did not answer. Edit the kernel, or choose another launch.",
  failed: (why: string) => `The launch could not be simulated: ${why}`,
  head: (kernel: string, programs: number, threads: number) => `${kernel}: ${n(programs)} program${programs === 1 ? "" : "s"} of ${n(threads)} threads.`,
  sample: (simulated: number) => `Counted on ${n(simulated)} of them, spread over the grid.`,
  model: (target: string) => `Counts of a model: newt’s PTX for ${target}, run by newt’s simulator.`,
  nothingMeasured: "Nothing here is measured.",
  restIsModel: "Only what is called measured is.",
  measured: "Measured, and by the model",
  measuredOn: (device: string) => `Measured: ${device}`,
  modelOf: (gpu: string) => `Model: ${gpu}, at best`,
  measuredPoint: "measured",
  median: (device: string, time: string, count: number) => `Measured on ${device}: ${time}, the median of ${n(count)} launch${count === 1 ? "" : "es"}.`,
  against: (gpu: string, time: string, ratio: string) => `The model’s least for ${gpu} is ${time}: measured is ${ratio} times as long.`,
  otherDevice: "The model is of other devices, and so sets no bound for this one.",
  measuredNote: "The runner measured the first launch; the model’s time is the larger one of memory and arithmetic, if nothing else held the kernel up. Rates count each byte and each operation once. A launch takes some microseconds, however little it does.",
  time: "Time", bandwidth: "Bandwidth", operations: "Operations", threadRegisters: "Registers",
  spilled: (registers: number, bytes: string) => `${n(registers)}, and ${bytes} spilled to local memory`,
  atMost: (count: number) => `at most ${n(count)}`,
  lines: "By line",
  linesNote: "Global memory moves in sectors of 32 bytes, shared memory in wavefronts of 32 banks; ideal is the least for the bytes that each warp asks for. Warps that hold copies of a small tile load a copy each. Instructions are those of warps.",
  line: "Line", code: "Code", global: "Sectors", shared: "Wavefronts", instructions: "Instructions",
  go: (line: number) => `Go to line ${line}`,
  elsewhere: "the rest",
  units: (units: number, ideal: number) => (units > ideal ? `${n(units)}, ${ratio(units, ideal)}× the ideal ${n(ideal)}` : `${n(units)}, ideal`),
  noWaste: "Every line moves as few sectors of global memory as its bytes fit into.",
  waste: (line: number, units: number, ideal: number) => `Line ${line} wastes the most: it moves ${n(units)} sectors for bytes that fit into ${n(ideal)}. Lanes next to each other should access addresses next to each other.`,
  conflicts: (line: number, units: number, ideal: number) => `Line ${line} has bank conflicts: ${n(units)} wavefronts of shared memory where ${n(ideal)} would do.`,
  mix: "Instructions by class",
  share: "Share",
  classes: { int: "integers", fp16: "fp16", fp32: "fp32", fp64: "fp64", tensor: "tensor cores", convert: "conversions", move: "moves", memory: "memory", control: "branches, barriers" } as Record<string, string>,
  occupancy: "Occupancy",
  occupied: (programs: number, warps: number, most: number, limit: string) => `A multiprocessor runs at most ${n(programs)} of these programs at a time: ${n(warps)} of ${n(most)} warps. What keeps another one out: ${limit}.`,
  registers: (registers: number, shared: string) => `That holds if a thread needs no more than ${n(registers)} registers, which NVIDIA’s assembler decides; a program has ${shared} of shared memory.`,
  limits: { programs: "the number of programs", threads: "threads", "shared memory": "shared memory", registers: "registers" } as Record<string, string>,
  roofline: "Roofline",
  moved: (read: string, written: string) => `At least ${read} are read from global memory and ${written} written.`,
  bound: (gpu: string, memory: boolean, intensity: string, ridge: string, memoryTime: string, computeTime: string) =>
    `${gpu}: ${intensity} operations a byte, below ${ridge} memory is the limit. So ${memory ? "memory" : "arithmetic"} bounds this kernel: at least ${memoryTime} for memory, ${computeTime} for arithmetic.`,
  noRoofline: "There is no arithmetic of floats to set against memory.",
  picture: (points: string) => `Roofline: operations a second that can be reached against operations a byte, both logarithmic. ${points}`,
  axisX: "operations a byte →", axisY: "↑ operations a second",
};

function ratio(units: number, ideal: number): string {
  return (units / Math.max(1, ideal)).toFixed(1);
}

const zh: Texts<typeof en> = {
  working: "正在模拟这次 kernel 启动 …",
  stop: "停止",
  none: "这里显示一次 kernel 启动需要 GPU 做多少事。目前还没有可以模拟的 kernel 启动。",
  broken: "模拟器没有回应。请修改 kernel，或者选择另一次 kernel 启动。",
  failed: (why) => `无法模拟这次 kernel 启动：${why}`,
  head: (kernel, programs, threads) => `${kernel}：${n(programs)} 个程序，每个 ${n(threads)} 个线程。`,
  sample: (simulated) => `只统计了其中均匀分布的 ${n(simulated)} 个。`,
  model: (target) => `这些是模型的计数：newt 为 ${target} 生成的 PTX，由 newt 的模拟器执行。`,
  nothingMeasured: "这里没有实测数据。",
  restIsModel: "只有标明“实测”的才是测得的。",
  measured: "实测与模型对照",
  measuredOn: (device) => `实测：${device}`,
  modelOf: (gpu) => `模型：${gpu}，最好情况`,
  measuredPoint: "实测",
  median: (device, time, count) => `在 ${device} 上实测：${time}（${n(count)} 次 kernel 启动的中位数）。`,
  against: (gpu, time, ratio) => `模型给出的 ${gpu} 最短时间是 ${time}：实测是它的 ${ratio} 倍。`,
  otherDevice: "模型针对的是别的设备，不能作为这个设备的下限。",
  measuredNote: "运行器测的是第一次 kernel 启动；模型的时间取内存与运算中较长的一个，并假定没有别的限制。速率按每个字节、每次运算各计一次。无论工作多少，一次 kernel 启动本身就需要几微秒。",
  time: "时间", bandwidth: "带宽", operations: "运算", threadRegisters: "寄存器",
  spilled: (registers, bytes) => `${n(registers)} 个，另有 ${bytes} 溢出到局部内存`,
  atMost: (count) => `最多 ${n(count)} 个`,
  lines: "按行",
  linesNote: "全局内存以 32 字节的扇区为单位传输，共享内存以 32 个 bank 的 wavefront 为单位；理想值是每个 warp 请求的字节最少需要的数量。块较小时，多个 warp 各持有并加载一份副本。指令按 warp 计数。",
  line: "行", code: "代码", global: "扇区", shared: "Wavefront", instructions: "指令",
  go: (line) => `转到第 ${line} 行`,
  elsewhere: "其余",
  units: (units, ideal) => (units > ideal ? `${n(units)}，理想值 ${n(ideal)} 的 ${ratio(units, ideal)} 倍` : `${n(units)}，理想`),
  noWaste: "每一行传输的全局内存扇区都不多于这些字节所需。",
  waste: (line, units, ideal) => `第 ${line} 行浪费最多：传输了 ${n(units)} 个扇区，而这些字节只需 ${n(ideal)} 个。相邻的通道应当访问相邻的地址。`,
  conflicts: (line, units, ideal) => `第 ${line} 行有 bank 冲突：用了 ${n(units)} 个共享内存 wavefront，本来 ${n(ideal)} 个就够。`,
  mix: "各类指令",
  share: "占比",
  classes: { int: "整数", fp16: "fp16", fp32: "fp32", fp64: "fp64", tensor: "张量核心", convert: "类型转换", move: "移动", memory: "内存", control: "分支与屏障" },
  occupancy: "占用率",
  occupied: (programs, warps, most, limit) => `一个 SM 最多同时运行 ${n(programs)} 个这样的程序：${n(most)} 个 warp 中的 ${n(warps)} 个。限制因素：${limit}。`,
  registers: (registers, shared) => `前提是每个线程不超过 ${n(registers)} 个寄存器，这由 NVIDIA 的汇编器决定；每个程序使用 ${shared} 共享内存。`,
  limits: { programs: "程序数量", threads: "线程数", "shared memory": "共享内存", registers: "寄存器" },
  roofline: "Roofline",
  moved: (read, written) => `至少从全局内存读取 ${read}，写入 ${written}。`,
  bound: (gpu, memory, intensity, ridge, memoryTime, computeTime) =>
    `${gpu}：每字节 ${intensity} 次运算，低于 ${ridge} 时受限于内存。因此这个 kernel 受限于${memory ? "内存" : "运算"}：内存至少需要 ${memoryTime}，运算至少需要 ${computeTime}。`,
  noRoofline: "没有浮点运算可以与内存相比。",
  picture: (points) => `Roofline 图：横轴是每字节的运算次数，纵轴是每秒可达到的运算次数，均为对数坐标。${points}`,
  axisX: "每字节运算次数 →", axisY: "↑ 每秒运算次数",
};

/** l holds the texts of the lens in the current language. */
export const l = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
