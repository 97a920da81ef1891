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

/** Spot is where a launch is among those of a document: the nth, from 0, of a kernel's by the run of a cell. */
export interface Spot {
  run: number;
  kernel: string;
  nth: number;
}

/** spotOf is where a launch is, by its number. */
export function spotOf(list: readonly Listed[], number: number | undefined): Spot | undefined {
  const of = list.find((l) => l.number === number);
  return of && { run: of.run, kernel: of.kernel, nth: alike(list, of).indexOf(of) };
}

/** launchAt is the launch at a place: of a run that is gone, the nth of all. */
export function launchAt(list: readonly Listed[], at: Spot): Listed | undefined {
  const here = list.some(({ run }) => run === at.run) ? list : list.map((l) => ({ ...l, run: at.run }));
  return alike(here, at)[at.nth];
}

function alike(list: readonly Listed[], { run, kernel }: Pick<Spot, "run" | "kernel">): Listed[] {
  return list.filter((l) => l.run === run && l.kernel === kernel);
}
