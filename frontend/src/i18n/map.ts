import { computed } from "@preact/signals";
import { lang } from "../settings/settings";
import type { Texts } from "./table";

// Texts of the map of the puzzles, which are fetched when it is first opened.
const en = {
  title: "Map of the puzzles",
  theirTitle: "Somebody's progress",
  ideas: "What you know",
  theirIdeas: "What they know",
  known: "known",
  notYet: "not yet",
  next: "Next",
  courses: "Courses",
  noCourse: "This site has no such course.",
  after: (labels: readonly string[]) => `after ${labels.join(", ")}`,
  keep: "Keep or share your progress",
  keepWhy: "This link holds it. Opened in another browser it can be added to the progress there; nothing is sent anywhere.",
  link: "Link to your progress",
  add: "Add it to my progress",
  added: "Added: your own marks stay where they are higher.",
  mine: "My own map",
};

const zh: Texts<typeof en> = {
  title: "谜题地图",
  theirTitle: "别人的进度",
  ideas: "已经掌握的概念",
  theirIdeas: "对方掌握的概念",
  known: "已掌握",
  notYet: "还没学到",
  next: "下一步",
  courses: "课程",
  noCourse: "这个网站没有这门课程。",
  after: (labels) => `先做 ${labels.join("、")}`,
  keep: "保存或分享进度",
  keepWhy: "进度就写在这个链接里。在另一个浏览器里打开，可以加到那里的进度上；不会上传任何东西。",
  link: "进度链接",
  add: "加到我的进度",
  added: "已加上：你自己更高的标记保持不变。",
  mine: "我自己的地图",
};

/** m holds the texts in the current language. */
export const m = computed<Texts<typeof en>>(() => (lang.value === "zh" ? zh : en));
