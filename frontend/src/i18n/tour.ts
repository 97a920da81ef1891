import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the tour, which are fetched when it begins.
const en = {
  name: "Tour of the page",
  stopOf: (n: number, total: number) => `${n} of ${total}`,
  back: "Back",
  next: "Next",
  done: "Done",
  leave: "Leave the tour (Escape)",
  type: "Type an answer with a mistake",
  step: "Next step",
  stops: {
    task: {
      title: "The task",
      text: "A puzzle says what a kernel should do, and its picture which program reads and writes what. Twelve puzzles lead from adding ten to a vector to flash attention.",
    },
    code: {
      title: "Your kernel",
      text: "You write here. Problems are marked as you type, and F8 leads from one to the next. What the tour types into an untouched puzzle is removed when it ends.",
    },
    programs: {
      title: "What it does to memory",
      text: "After every edit the page runs the kernel and draws its tensors: what is read, written and masked off. The chips above the pictures choose one program of the grid; this puzzle has a single one.",
    },
    steps: {
      title: "Step by step",
      text: "F9 goes to the next step of the program, with Shift to the one before. The code shows the values that its lines have computed by then.",
    },
    run: {
      title: "The tests, and why",
      text: "Run makes the tests. Next to a wrong element, Why? leads to the step that wrote it, and to what its value comes from.",
    },
    gpu: {
      title: "What a GPU runs",
      text: "newt compiles to PTX here, too: the line of the cursor and its instructions are marked together. Device runs the same tests on a GPU, through a runner that you start next to it.",
    },
    share: {
      title: "Share it",
      text: "A link holds your text and what you look at; nothing is sent. All actions, and this tour, are in one list: press F1, or open the help.",
    },
  },
};

const zh: Texts<typeof en> = {
  name: "页面导览",
  stopOf: (n, total) => `${n} / ${total}`,
  back: "上一步",
  next: "继续",
  done: "完成",
  leave: "离开导览（Escape）",
  type: "输入一个有错误的答案",
  step: "程序的下一步",
  stops: {
    task: {
      title: "题目",
      text: "题目说明 kernel 要做什么，插图画出哪个程序读写哪些内存。十二道题从给向量加 10 开始，一直到 flash attention。",
    },
    code: {
      title: "你的 kernel",
      text: "代码写在这里。问题会在输入时标出，F8 依次跳到各个问题。题目还没动过时，导览可以替你输入一个答案，导览结束时会删掉。",
    },
    programs: {
      title: "它对内存做了什么",
      text: "每次修改之后，页面都会运行 kernel 并画出各个张量：哪些被读取、写入，哪些被掩码屏蔽。图上方的按钮选择网格中的一个程序，这道题只有一个。",
    },
    steps: {
      title: "一步一步看",
      text: "F9 走到程序的下一步，加 Shift 回到上一步。代码里显示各行到这一步为止算出的值。",
    },
    run: {
      title: "测试，以及为什么",
      text: "“运行”会执行全部测试。错误元素旁边的“为什么？”会带你到写入它的那一步，并说明它的值从哪里来。",
    },
    gpu: {
      title: "GPU 运行的内容",
      text: "newt 也在页面里编译出 PTX：光标所在的行和它的指令会一起标出。“设备”通过你在 GPU 旁边启动的 runner，在 GPU 上运行同样的测试。",
    },
    share: {
      title: "分享",
      text: "链接里有你的代码和你正在看的内容，不会发送任何东西。全部操作和这个导览都在一个列表里：按 F1，或者打开帮助。",
    },
  },
};

/** s holds the texts in the current language. */
export const s = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
