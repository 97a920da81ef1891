/** isFast is whether a number is that of a puzzle of the second course, which is graded by what a launch takes: 2001 is the first, F1. */
export function isFast(number: number | undefined): boolean {
  return number !== undefined && number > 2000 && number < 2100;
}
