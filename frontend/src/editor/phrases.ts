import { EditorState, type Extension } from "@codemirror/state";
import { lang } from "../settings/settings";

/** zh translates what CodeMirror says by itself, to people and to screen readers. */
const zh: Record<string, string> = {
  Find: "查找", Replace: "替换为", next: "下一个", previous: "上一个", all: "全部", "match case": "区分大小写", regexp: "正则表达式",
  "by word": "整词", replace: "替换", "replace all": "全部替换", close: "关闭", "current match": "当前匹配", "on line": "所在行",
  "replaced $ matches": "已替换 $ 处", "replaced match on line $": "已替换第 $ 行的匹配", "Selection deleted": "已删除所选内容",
  Completions: "补全", "Control character": "控制字符",
};

/** phrases has CodeMirror speak the current language. */
export const phrases = (): Extension => EditorState.phrases.of(lang.peek() === "zh" ? zh : {});
