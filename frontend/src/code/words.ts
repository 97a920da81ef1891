import type { Roofline } from "../gen/lens";
import { l } from "../i18n/lens";
import { short } from "../lib/format";

/** boundOf says what bounds a kernel on a GPU. */
export function boundOf({ gpu, intensity, ridge, memorySeconds, computeSeconds }: Roofline): string {
  return l.value.bound(gpu, memorySeconds >= computeSeconds, short(intensity), short(ridge), seconds(memorySeconds), seconds(computeSeconds));
}

/** seconds writes a short time for people. */
export function seconds(s: number): string {
  return s < 1e-6 ? `${short(s * 1e9)} ns` : s < 1e-3 ? `${short(s * 1e6)} µs` : `${short(s * 1e3)} ms`;
}
