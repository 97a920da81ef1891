import * as Plot from "@observablehq/plot";
import { useLayoutEffect } from "preact/hooks";
import type { Roofline } from "../gen/lens";
import { l } from "../i18n/lens";
import { titled } from "../ui/plot";
import { useWidth } from "../ui/use-width";
import { leastOf, type Measured, modelOf, saidOf } from "./measured";
import { boundOf } from "./words";

/** beyond is how far the axes reach past the kernel and the ridges, as a factor. */
const beyond = 8;

const height = 220;

/**
 * RooflinePicture draws the roofs of GPUs, and where a kernel is under each with the multiprocessors that it keeps busy, if nothing
 * else holds it up; a ring is where one of them was measured.
 */
export default function RooflinePicture({ roofline, timed }: { roofline: readonly Roofline[]; timed: Measured | undefined }) {
  const [box, width] = useWidth();
  const words = l.value;
  useLayoutEffect(() => {
    if (!roofline.length || width <= 0) return;
    const said = [...roofline.map(boundOf), ...(timed ? [saidOf(timed, roofline)] : [])];
    box.current?.replaceChildren(titled(draw(roofline, timed, width), words.picture(said.join(" "))));
  }, [roofline, timed, width, words]);
  return roofline.length ? <div class="lens-roofline" ref={box} /> : null;
}

/** Point is a place in the picture. */
interface Point {
  gpu: string;
  x: number; // operations a byte
  y: number; // of the least bytes' moving time, so that the roofs of GPUs are in proportion
}

function draw(roofline: readonly Roofline[], timed: Measured | undefined, width: number) {
  const words = l.peek();
  const intensities = roofline.flatMap((r) => [r.intensity, r.ridge]);
  const [left, right] = [Math.min(...intensities) / beyond, Math.max(...intensities) * beyond];
  // The bytes are the same for each GPU, so that operations a second are x over the time that they take.
  const roof = (r: Roofline, x: number): Point => ({ gpu: r.gpu, x, y: Math.min(x, r.ridge) / r.peakSeconds });
  const roofs = roofline.flatMap((r) => [left, r.ridge, right].map((x) => roof(r, x)));
  const kernel = roofline.map((r) => ({ gpu: r.gpu, x: r.intensity, y: r.intensity / leastOf(r) }));
  const model = timed && modelOf(timed.device, roofline);
  const ring = timed && model ? [{ x: model.intensity, y: model.intensity / (timed.timings.median / 1e9) }] : [];
  return Plot.plot({
    width, height, marginLeft: 16, marginRight: 70, marginBottom: 34,
    style: { background: "none", fontSize: "12px" },
    x: { type: "log", label: words.axisX, ticks: 4, tickFormat: (x: number) => String(Number(x.toPrecision(2))) }, y: { type: "log", label: words.axisY, ticks: [] },
    marks: [
      Plot.line(roofs, { x: "x", y: "y", z: "gpu", stroke: "var(--ink-3)", strokeWidth: 1.5 }),
      Plot.text(roofline.map((r) => roof(r, right)), { x: "x", y: "y", text: "gpu", textAnchor: "start", dx: 6, fill: "var(--ink-2)" }),
      Plot.ruleX(kernel, { x: "x", stroke: "var(--accent)", strokeDasharray: "3 3" }),
      Plot.dot(kernel, { x: "x", y: "y", r: 5, fill: "var(--accent)" }),
      Plot.dot(ring, { x: "x", y: "y", r: 5, stroke: "var(--accent)", strokeWidth: 2, fill: "var(--paper)" }),
      Plot.text(ring, { x: "x", y: "y", text: () => words.measuredPoint, textAnchor: "start", dx: 9, fill: "var(--ink-2)" }),
    ],
  });
}
