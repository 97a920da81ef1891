import { useSignalEffect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { lessonAddress } from "../basics/open";
import { examples } from "../content/examples";
import { t } from "../i18n/table";
import { FreeForm } from "../free/form";
import { NextStep } from "../statement/next-step";
import { noteOffer, openTour, tourOffered } from "../tour/open";
import { text } from "../document/workspace";
import { dividerOf, Ripple } from "./ripple";

/** FreePane is what newt is, and what the free page's kernel is called with. */
export function FreePane() {
  return <div class="scroll"><Intro /><FreeForm /></div>;
}

/** Intro greets on the free page and offers the one next step; once a person writes there, only a line is left. */
function Intro() {
  const words = t.value;
  const [open, setOpen] = useState(untouched);
  useEffect(noteOffer, []);
  useSignalEffect(() => {
    if (!untouched()) setOpen(false);
  });
  return (
    <details class="intro" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary><h1>{words.introTitle}</h1></summary>
      <p class="lead">{words.introLead}</p>
      <Ripple />
      <p class="next"><NextStep /> <a class="door" href="#/document">{words.introOwn}</a></p>
      <p class="fine"><a href={lessonAddress} id="lesson-offer">{words.introLesson}</a></p>
      <p class="fine">{words.introPuzzles}</p>
      {tourOffered.value && <p class="fine"><button type="button" class="link" id="tour-offer" onClick={openTour}>{words.introTour}</button></p>}
    </details>
  );
}

/** untouched is true while the text is one of the examples, whatever the slider has made of the first. */
function untouched(): boolean {
  const now = text.value;
  return now === undefined || dividerOf(now) !== undefined || examples.some((e) => e.source === now);
}
