import { effect, signal } from "@preact/signals";
import { text } from "../document/workspace";
import type { EngineFault } from "../engine/engine";
import type { Report } from "../gen/lens";
import { l } from "../i18n/lens";
import { architecture } from "../run/code-choice";
import { launchOf } from "../run/launch";
import { running } from "../run/runs";
import { simulate } from "../run/simulate";
import { lang } from "../settings/settings";
import { view } from "../state/view";

const delayMs = 250;

/** Lens is what came of simulating the launch of a text. */
export interface Lens {
  source: string;
  report?: Report | undefined;
  problem: string; // why there is no report; empty where there is one, or no launch
  stopped?: boolean; // a person has stopped the simulation that was to take its place
}

/** lens is that of the last text that was simulated; undefined until one was. */
export const lens = signal<Lens | undefined>(undefined);

/** simulating is the simulation in progress, which abort ends. */
export const simulating = signal<AbortController | undefined>(undefined);

/** watchLens simulates the launch whenever the text rests, as long as somebody looks. */
export function watchLens(): () => void {
  let timer = 0;
  let asked = "";
  const end = effect(() => {
    const source = text.value ?? "";
    const of = launchOf(source);
    const wanted = of && { source, lang: lang.value, target: architecture.value, of };
    if (view.value !== "lens" || running.value) return;
    const key = JSON.stringify(wanted);
    if (key === asked) return;
    asked = key;
    clearTimeout(timer);
    simulating.peek()?.abort();
    if (!wanted) {
      lens.value = { source, problem: "" };
      return;
    }
    timer = window.setTimeout(() => {
      const now = new AbortController();
      simulating.value = now;
      simulate(wanted, now.signal).then(({ report, problem }) => (lens.value = { source, report, problem }), (fault: EngineFault) => {
        if (key !== asked) return; // another launch is simulated by now
        // Of a simulation that was stopped, what was shown before stays.
        lens.value = fault.reason === "stopped" ? { source, problem: "", ...lens.peek(), stopped: true } : { source, problem: l.peek().broken };
      }).finally(() => {
        if (simulating.peek() === now) simulating.value = undefined;
      });
    }, lens.peek() === undefined ? 0 : delayMs);
  });
  return () => {
    end();
    clearTimeout(timer);
    asked = "";
    simulating.peek()?.abort();
  };
}
