/** onMac is whether shortcuts use Command instead of Control. */
export const onMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** keys writes a shortcut as the platform does: keys("Mod", "Enter"). */
export function keys(...names: string[]): string {
  const mac: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Enter: "↩" };
  if (onMac) return names.map((n) => mac[n] ?? n).join("");
  return names.map((n) => (n === "Mod" ? "Ctrl" : n)).join("+");
}
