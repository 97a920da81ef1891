/** ModelPart is what a kernel of torch.compile's computes of a model: its variables, and the operations behind them. */
export interface ModelPart {
  nodes: string;
  operations: string;
}

const first = /^# Topologically Sorted Source Nodes: \[(.*)\], Original ATen: \[(.*)\]\s*$/;

/** modelPart reads the comment that torch.compile writes above a kernel's definition, if a text has one. */
export function modelPart(text: string, kernel: string): ModelPart | undefined {
  const at = text.indexOf(`\n${kernel} = async_compile.triton(`);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).split("\n");
  for (let i = lines.length - 1; lines[i]?.startsWith("#"); i--) {
    const [, nodes = "", operations = ""] = first.exec(lines[i] ?? "") ?? [];
    if (operations) return { nodes, operations };
  }
  return undefined;
}
