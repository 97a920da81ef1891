import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of puzzle 0 and of the cards of concepts, which are fetched when one is first opened.
const en = {
  lesson: "Puzzle 0: what a kernel does, without code",
  card: "In short",
  stepOf: (n: number, of: number) => `${n} of ${of}`,
  back: "Back",
  next: "Next",
  task: "Try it:",
  done: "Done:",
  concepts: {
    program: {
      title: "Program",
      text: "A launch runs a kernel many times, in parallel. Each of these runs is a program and has a number, p. All programs have the same code, and p tells each of them which part of the data is its own. Here three programs share a vector, four elements each.",
      task: "drag the program to the last four elements.",
      controls: { p: "program p" },
    },
    offset: {
      title: "Offset",
      text: "A pointer is the address of element 0. A program adds offsets to it, a whole block at once: p times the length of a block is where its part begins, and 0, 1, 2, 3 count on from there.",
      task: "which program has the offsets 4, 5, 6 and 7?",
      controls: { p: "program p" },
    },
    block: {
      title: "Block",
      text: "A program works on a block of numbers at once; newt's messages also call it a tile. Its places are lanes, and their number is a power of two. Where the vector's length is no multiple of it, the last program has lanes for which there is no element.",
      task: "choose the length of a block that leaves exactly two lanes without an element.",
      controls: { B: "block length" },
    },
    mask: {
      title: "Mask",
      text: "Behind the end of a vector lies memory of something else, or none at all. A mask says lane by lane which may touch memory. A lane that is masked off reads and writes nothing; what its value is then, other= says.",
      task: "go to the last program and mask off what it must not touch.",
      controls: { p: "program p", mask: "mask=offs < 10" },
    },
    broadcast: {
      title: "Broadcast",
      text: "A column of shape [3, 1] and a row of shape [1, 4] can be added: an axis of length 1 is repeated as often as the other block needs it. The sum has every combination, as a block of shape [3, 4].",
      task: "stretch both, then add them.",
      controls: { k: "step" },
    },
    axes: {
      title: "Grid with two axes",
      text: "The programs of a launch can form a grid with two axes. A program then has two numbers, and works on a tile of a matrix: p0 chooses the columns, p1 the rows.",
      task: "move the program to the lower right tile.",
      controls: { p0: "p0, columns", p1: "p1, rows" },
    },
    reduction: {
      title: "Reduction",
      text: "A reduction such as a sum or a maximum makes one number of all along an axis. It can be done in halves: the pale half is added to the other until one column is left. That axis is then gone from the shape.",
      task: "fold each row to its sum.",
      controls: { k: "step" },
    },
    stride: {
      title: "Stride",
      text: "Memory is one long line, and a matrix lies in it row by row. One element to the right is a step of 1, one row down a step of as many elements as a row has. These steps are the strides of the two axes.",
      task: "find the element at offset 6.",
      controls: { j: "row j", i: "column i" },
    },
    accumulator: {
      title: "Accumulator",
      text: "What is longer than a block is read in a loop, block by block. The accumulator holds what has been added so far. It is made once, before the loop; made inside, it would forget.",
      task: "go through the loop to its end.",
      controls: { k: "iterations" },
    },
    softmax: {
      title: "Online softmax",
      text: "Softmax divides each exp(x) by their sum. So that exp does not overflow, the maximum is subtracted from x first. One pass is enough for both: whenever a larger maximum m comes, the sum l so far is multiplied by exp(old m − new m).",
      task: "go through all blocks.",
      controls: { k: "blocks" },
    },
  },
};

const zh: Texts<typeof en> = {
  lesson: "第 0 题：不写代码，先看 kernel 做什么",
  card: "简单说",
  stepOf: (n, of) => `${n} / ${of}`,
  back: "上一步",
  next: "继续",
  task: "试一试：",
  done: "完成：",
  concepts: {
    program: {
      title: "程序",
      text: "启动 kernel 时，它会并行地运行很多遍。每一遍叫一个程序，有自己的编号 p。所有程序的代码都一样，每个程序靠 p 知道哪一部分数据归自己。这里三个程序分一个向量，每个管四个元素。",
      task: "把程序拖到最后四个元素上。",
      controls: { p: "程序 p" },
    },
    offset: {
      title: "偏移",
      text: "指针是第 0 个元素的地址。程序给它加上偏移，一次加一整块：p 乘以块的长度是自己那部分的开头，再从那里数 0、1、2、3。",
      task: "哪个程序的偏移是 4、5、6、7？",
      controls: { p: "程序 p" },
    },
    block: {
      title: "块",
      text: "程序一次处理一整块数，newt 的消息里也叫 tile。块里的每个位置是一个通道，通道数是 2 的幂。向量长度不是它的倍数时，最后一个程序有些通道没有对应的元素。",
      task: "选一个块的长度，让恰好两个通道没有元素。",
      controls: { B: "块的长度" },
    },
    mask: {
      title: "掩码",
      text: "向量末尾之后是别人的内存，或者什么都没有。掩码逐个通道说明谁可以访问内存。被屏蔽的通道既不读也不写，它的值由 other= 决定。",
      task: "换到最后一个程序，屏蔽它不该碰的内存。",
      controls: { p: "程序 p", mask: "mask=offs < 10" },
    },
    broadcast: {
      title: "广播",
      text: "形状为 [3, 1] 的一列和形状为 [1, 4] 的一行可以相加：长度为 1 的轴按另一块的需要重复。和是形状为 [3, 4] 的块，包含所有组合。",
      task: "先把两块都展开，再相加。",
      controls: { k: "步骤" },
    },
    axes: {
      title: "两个轴的网格",
      text: "kernel 启动时的程序可以排成两个轴的网格。这时一个程序有两个编号，处理矩阵的一个分块：p0 选列，p1 选行。",
      task: "把程序移到右下角的分块。",
      controls: { p0: "p0，列", p1: "p1，行" },
    },
    reduction: {
      title: "归约",
      text: "求和、求最大值这样的归约，把一个轴上的所有数变成一个数。可以每次折一半：颜色浅的一半加到另一半上，直到只剩一列。这个轴就从形状里消失了。",
      task: "把每一行折成它的和。",
      controls: { k: "步骤" },
    },
    stride: {
      title: "步长",
      text: "内存是一条长线，矩阵按行依次放在里面。向右一个元素走 1 步，向下一行走一行的元素个数那么多步。这两个数就是两个轴的步长。",
      task: "找到偏移为 6 的元素。",
      controls: { j: "行 j", i: "列 i" },
    },
    accumulator: {
      title: "累加器",
      text: "比一块更长的数据用循环一块一块地读。累加器保存到目前为止的和。它在循环之前建立一次；建在循环里，就会忘掉之前的结果。",
      task: "把循环走到底。",
      controls: { k: "迭代次数" },
    },
    softmax: {
      title: "在线 softmax",
      text: "softmax 把每个 exp(x) 除以它们的和。为了不让 exp 溢出，先从 x 里减去最大值。一遍就能同时得到两者：每当出现更大的最大值 m，就把目前的和 l 乘以 exp(旧 m − 新 m)。",
      task: "走完所有的块。",
      controls: { k: "块数" },
    },
  },
};

/** b holds the texts in the current language. */
export const b = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
