import { pressOf, spell } from "../lib/shortcut";

/** onMac is whether shortcuts use Command instead of Control. */
export const onMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** shortcuts are the keys of actions, the usual one first; app/actions.ts says what they do. */
export const shortcuts = {
  palette: ["Mod+Shift+P", "F1"],
  run: ["Mod+Enter"],
  runNext: ["Shift+Enter"],
  runThere: ["Mod+Shift+Enter"],
  share: ["Mod+S"],
  nextProblem: ["F8"],
  previousProblem: ["Shift+F8"],
  nextStep: ["F9"],
  previousStep: ["Shift+F9"],
  nextLine: ["Mod+F9"],
  previousLine: ["Mod+Shift+F9"],
  complete: ["Ctrl+Space"],
  signature: ["Ctrl+Shift+Space"],
  comment: ["Mod+/"],
  find: ["Mod+F"],
  help: ["?"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Keyed names an action that has keys. */
export type Keyed = keyof typeof shortcuts;

/** shortcutsOf are an action's keys; most actions have none. */
export function shortcutsOf(action: string): readonly string[] {
  return (shortcuts as Readonly<Record<string, readonly string[]>>)[action] ?? [];
}

/** keysOf writes the usual shortcut of an action as the platform does. */
export function keysOf(action: Keyed): string {
  return spell(shortcuts[action][0], onMac);
}

/** pressesOf are an action's keys as events have them. */
export function pressesOf(action: string) {
  return shortcutsOf(action).map((shortcut) => pressOf(shortcut, onMac));
}

/** ariaKeysOf names the usual shortcut of an action for aria-keyshortcuts. */
export function ariaKeysOf(action: Keyed): string {
  const [usual] = shortcuts[action];
  return ["Control", "Meta"].map((mod) => usual.replace("Mod", mod)).join(" ");
}
