/** Taken is a kernel that was taken apart: all above its body, and the lines of that in groups, in their order. */
export interface Taken {
  head: string;
  groups: readonly string[];
}

/** most is how many groups a person is to put in order. */
const most = 9;

/** takeApart takes a kernel apart that has a loop, which is where the order of lines begins to matter; undefined for others. */
export function takeApart(source: string): Taken | undefined {
  const lines = source.split("\n");
  const start = lines.findLastIndex((line) => line.startsWith("def "));
  const [signature, ...body] = whole(lines.slice(start).filter((line) => /\S/.test(line.replace(/#.*/, ""))));
  const loops = body.some((line) => line.trimStart().startsWith("for "));
  if (start < 0 || !loops || source.includes('"""') || body.some((line) => !line.startsWith(" "))) return undefined;
  return { head: [...lines.slice(0, start), signature].join("\n"), groups: grouped(body) };
}

/** whole joins the lines of each statement that goes on while a bracket is open. */
function whole(lines: readonly string[]): string[] {
  const statements: string[] = [];
  let open = 0;
  for (const line of lines) {
    if (open > 0) statements.push(`${statements.pop()}\n${line}`);
    else statements.push(line);
    const code = line.replace(/"[^"]*"|'[^']*'|#.*/g, "");
    open += (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length;
  }
  return statements;
}

/** grouped joins neighbours of one block, the shortest first, until there are few enough; the head of a loop stays alone. */
function grouped(statements: readonly string[]): string[] {
  const groups = [...statements];
  while (groups.length > most) {
    const pairs = groups.slice(1).map((next, i) => ({ i, size: fits(groups[i] ?? "", next) ? `${groups[i]}\n${next}`.split("\n").length : Infinity }));
    const { i, size } = pairs.reduce((least, pair) => (pair.size < least.size ? pair : least));
    if (size === Infinity) break;
    groups.splice(i, 2, `${groups[i]}\n${groups[i + 1]}`);
  }
  return groups;
}

function fits(one: string, next: string): boolean {
  const indent = (text: string) => text.search(/\S/);
  return indent(one) === indent(next) && ![one, next].some((text) => text.endsWith(":"));
}

/** mixed is the order to begin with: that of the alphabet. */
export function mixed(groups: readonly string[]): string[] {
  const key = (group: string) => group.trimStart();
  return groups.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}

/** assemble is the kernel with its groups of lines in an order. */
export function assemble({ head }: Taken, order: readonly string[]): string {
  return `${[head, ...order].join("\n")}\n`;
}

/** groupAt is the group that a line of the assembled kernel is in, counted from 0; -1 is none. The line is counted from 1. */
export function groupAt({ head }: Taken, order: readonly string[], line: number): number {
  let end = head.split("\n").length;
  if (line <= end) return -1;
  return order.findIndex((group) => line <= (end += group.split("\n").length));
}

/** moved is an order with one of its groups elsewhere. */
export function moved<T>(order: readonly T[], from: number, to: number): T[] {
  const rest = order.toSpliced(from, 1);
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, ...order.slice(from, from + 1));
}
