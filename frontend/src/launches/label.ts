import { launchText } from "../lib/format";
import type { Listed } from "../run/listed";

/** shownOptions are those that a label always has. */
const shownOptions: readonly string[] = ["num_warps", "num_stages"];

/** labels name launches by their number, kernel and grid, and by the arguments and options in which a kernel's differ. */
export function labels(list: readonly Listed[]): string[] {
  const varies = varying(list);
  return list.map(({ number, kernel, grid, args, options }) => {
    const said = [
      ...options.filter(({ name }) => shownOptions.includes(name) || varies(kernel, name)),
      ...args.filter(({ name }) => varies(kernel, name)),
    ];
    return [`${number}: ${kernel}[${launchText(grid)}]`, ...said.map(({ name, text }) => `${name}=${text}`)].join(" ");
  });
}

/** varying tells whether an argument or option is not the same in all launches of a kernel. */
function varying(list: readonly Listed[]): (kernel: string, name: string) => boolean {
  const known = new Map<string, boolean>();
  return (kernel, name) => {
    const key = `${kernel} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const values = list.filter((l) => l.kernel === kernel).map(({ args, options }) => [...args, ...options].find((a) => a.name === name)?.text);
    const varies = new Set(values).size > 1;
    known.set(key, varies);
    return varies;
  };
}
