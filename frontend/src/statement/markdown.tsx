import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type Block, blocks, type Inline } from "../lib/markdown";
import { renderFormula } from "./formulas";

/** Markdown shows a stranger's Markdown: elements made one by one, nothing read as HTML. */
export function Markdown({ source }: { source: string }) {
  const list = useMemo(() => blocks(source), [source]);
  return <div class="prose"><Blocks list={list} /></div>;
}

function Blocks({ list }: { list: Block[] }) {
  return <>{list.map((block, i) => <BlockView key={i} block={block} />)}</>;
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": return <h2><Line parts={block.children} /></h2>;
    case "paragraph": return <p><Line parts={block.children} /></p>;
    case "code": return <pre tabIndex={0}><code>{block.text}</code></pre>;
    case "quote": return <blockquote><Blocks list={block.blocks} /></blockquote>;
    case "list": return <List ordered={block.ordered}>{block.items.map((item, i) => <li key={i}><Blocks list={item} /></li>)}</List>;
    case "table": return <Table head={block.head} rows={block.rows} />;
  }
}

function List({ ordered, children }: { ordered: boolean; children: ComponentChildren }) {
  return ordered ? <ol>{children}</ol> : <ul>{children}</ul>;
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <table>
      {head.length > 0 && <thead><tr>{head.map((cell, i) => <th key={i}><Line parts={cell} /></th>)}</tr></thead>}
      <tbody>{rows.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j}><Line parts={cell} /></td>)}</tr>)}</tbody>
    </table>
  );
}

function Line({ parts }: { parts: Inline[] }) {
  return <>{parts.map((part, i) => <Piece key={i} part={part} />)}</>;
}

function Piece({ part }: { part: Inline }) {
  switch (part.kind) {
    case "text": return <>{part.text}</>;
    case "code": return <code>{part.text}</code>;
    case "math": return <Formula tex={part.text} display={false} />;
    case "display": return <Formula tex={part.text} display />;
    case "strong": return <strong><Line parts={part.children} /></strong>;
    case "em": return <em><Line parts={part.children} /></em>;
  }
}

/** Formula is TeX until KaTeX is there, and stays TeX where KaTeX refuses it. */
function Formula({ tex, display }: { tex: string; display: boolean }) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    void import("katex").then(({ default: katex }) => {
      if (element.current) renderFormula(katex, tex, element.current, display);
    });
  }, [tex, display]);
  return <code class={display ? "math display" : "math"} ref={element}>{tex}</code>;
}
