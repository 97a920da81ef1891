import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, blocks, type Inline, inline } from "../src/lib/markdown";

/** show writes a tree on one line: p(text code[x] …). */
const show = (list: Block[]): string => list.map(showBlock).join(" ");
const line = (parts: Inline[]): string => parts.map((p) => ("text" in p ? (p.kind === "text" ? p.text : `${p.kind}[${p.text}]`) : `${p.kind}(${line(p.children)})`)).join("");
const showBlock = (b: Block): string => {
  switch (b.kind) {
    case "paragraph": return `p(${line(b.children)})`;
    case "heading": return `h(${line(b.children)})`;
    case "code": return `code(${b.text})`;
    case "quote": return `quote(${show(b.blocks)})`;
    case "list": return `${b.ordered ? "ol" : "ul"}(${b.items.map((i) => `li(${show(i)})`).join("")})`;
    case "table": return `table(${[b.head, ...b.rows].map((r) => r.map(line).join("|")).join("/")})`;
  }
};

const cases: [string, string, string][] = [
  ["paragraphs", "one\ntwo\n\nthree", "p(one\ntwo) p(three)"],
  ["a heading", "## A *b* ##\ntext", "h(A em(b)) p(text)"],
  ["marks of a heading", "# a #b# # \n# #\n## c#\n# d  ###", "h(a #b#) h() h(c#) h(d)"],
  ["code", "```python\nx = `1` * 2\n\n# y\n```\nafter", "code(x = `1` * 2\n\n# y) p(after)"],
  ["code that nothing ends", "```\nx", "code(x)"],
  ["a list", "- a\n- b\n  more\n\n  - c\n\n1. d", "ul(li(p(a))li(p(b\nmore) ul(li(p(c))))) ol(li(p(d)))"],
  ["a quotation", "> a\n> - b", "quote(p(a) ul(li(p(b))))"],
  ["a table", "| a | b |\n|---|:-:|\n| `1` | 2 |", "table(a|b/code[1]|2)"],
  ["marks", "**a *b*** `c` $x_i$ and $$y$$", "p(strong(a *b)* code[c] math[x_i] and display[y])"],
  ["prices and lone marks", "5 $ and 6 $, 2 * 3 * 4, `x", "p(5 $ and 6 $, 2 * 3 * 4, `x)"],
  ["escapes", "\\*a\\* \\x", "p(*a* \\x)"],
  ["a link as text", "[here **b**](javascript:alert(1)) ![alt](x.png)", "p(here strong(b) (javascript:alert(1)) alt (x.png))"],
  ["HTML as text", "<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>", "p(<script>alert(1)</script>) p(<img src=x onerror=alert(1)>)"],
];

for (const [name, source, want] of cases) {
  test(`Markdown: ${name}`, () => assert.equal(show(blocks(source)), want));
}

// What takes time that grows with the square of the text would not end within the test's patience.
test("hostile Markdown ends", () => {
  const size = 64 << 10;
  for (const piece of ["*", "`", "$ ", "[", "[](", "> ", "- ", "**a", "![a](", "|", "\\", "1. ", "- a\n  ", "   "]) {
    assert.ok(blocks(`x${piece.repeat(size / piece.length)}`).length > 0, JSON.stringify(piece));
  }
  for (const [begin, piece] of [["# a", " "], ["# a ", "#"], ["# a", " #"], ["| a |\n|", "-"], ["| a |\n", " "], ["| a |\n|", " - |"]] as const) {
    assert.ok(blocks(`${begin}${piece.repeat(size / piece.length)}x`).length > 0, begin + piece);
  }
  assert.ok(inline("*".repeat(size)).length > 0);
});
