/** Press is a key with the modifiers that are held, as a keyboard event has them. */
export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** pressOf reads a shortcut such as "Mod+Shift+Enter", where Mod is Command on a Mac and Control elsewhere. */
export function pressOf(shortcut: string, mac: boolean): Press {
  const names = shortcut.split("+");
  const key = names.pop() ?? "";
  const held = (name: string) => names.includes(name);
  return {
    key: key === "Space" ? " " : key.length === 1 ? key.toLowerCase() : key,
    ctrlKey: held("Ctrl") || (held("Mod") && !mac), metaKey: held("Mod") && mac, shiftKey: held("Shift"), altKey: false,
  };
}

/** isPress tells whether an event is a press. How a keyboard makes a character such as "?" does not matter. */
export function isPress(event: Press, press: Press): boolean {
  if (event.ctrlKey !== press.ctrlKey || event.metaKey !== press.metaKey) return false;
  const character = press.key.length === 1 && !press.ctrlKey && !press.metaKey;
  const key = press.key.length === 1 ? event.key.toLowerCase() : event.key;
  return key === press.key && (character || (event.shiftKey === press.shiftKey && event.altKey === press.altKey));
}

const macNames: Readonly<Record<string, string>> = { Mod: "⌘", Ctrl: "⌃", Shift: "⇧", Enter: "↩" };

/** spell writes a shortcut as the platform does. */
export function spell(shortcut: string, mac: boolean): string {
  const names = shortcut.split("+");
  return mac ? names.map((name) => macNames[name] ?? name).join("") : names.map((name) => (name === "Mod" ? "Ctrl" : name)).join("+");
}
