import { parts } from "../lib/phrase";

/** Phrase shows a catalogue phrase: text in backquotes is a name. */
export function Phrase({ text }: { text: string }) {
  return <>{parts(text).map((p, i) => (p.code ? <code key={i}>{p.text}</code> : p.text))}</>;
}
