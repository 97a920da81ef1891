import type { CellLaunch } from "../gen/api";

/** maxListed is how many launches a list shows: the last ones. */
export const maxListed = 200;

/** Listed is a launch that the run of a cell made, and those after it by the same call that are not kept. */
export interface Listed extends CellLaunch {
  run: number;
  more: { count: number; ms: number }; // in all
}

/** listLaunches lists what a run has launched: each launch that can be opened or that failed, the others by their number. */
export function listLaunches(before: readonly Listed[], run: number, made: readonly CellLaunch[]): Listed[] {
  const list = [...before];
  for (const l of made) {
    const at = l.kept || !l.ok ? -1 : list.findLastIndex((o) => o.run === run && o.line === l.line && o.kernel === l.kernel);
    const same = list[at];
    if (same) list[at] = { ...same, more: { count: same.more.count + 1, ms: same.more.ms + l.ms } };
    else list.push({ ...l, run, more: { count: 0, ms: 0 } });
  }
  return list;
}
