// Waits within the page, which cost less than asking again and again from outside.
import type { Of } from "./elements";

const start = setTimeout; // a test may hold the page's timers

/** until gives true as soon as a condition holds, and false if that takes longer than so many milliseconds. */
export async function until(condition: Of<unknown>, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let pause = 4; !(await condition()); pause = Math.min(2 * pause, 60)) {
    if (performance.now() > end) return false;
    await new Promise((then) => start(then, pause));
  }
  return true;
}
