import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../ui/icons";
import { t } from "../i18n/table";
import { Phrase } from "../ui/phrase-view";
import type { Result } from "../run/result";

interface Props {
  result: Result;
  why: string; // it is only the last run's
  children: ComponentChildren; // the whole outcome, which is shown on demand
}

/** LastRun is an outcome that is no longer of what the page holds, in one line. */
export function LastRun({ result: { verdict, free, fault }, why, children }: Props) {
  const words = t.value;
  const [open, setOpen] = useState(false);
  const message = fault ? words.faults[fault.reason] : ((verdict ?? free)?.message ?? "");
  return (
    <details class="last-run" onToggle={(e) => e.target === e.currentTarget && setOpen(e.currentTarget.open)}>
      <summary><Icon name="right" /><span><b>{words.lastRun}</b> <Phrase text={message} /> <span class="why">{why}</span></span></summary>
      {open && children}
    </details>
  );
}
