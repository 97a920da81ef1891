import { computed } from "@preact/signals";
import { route } from "../document/workspace";
import type { Report, Roofline } from "../gen/lens";
import type { Device, Timings } from "../gen/protocol";
import { l } from "../i18n/lens";
import { short, size } from "../lib/format";
import { choice } from "../run/choice";
import { elsewhere } from "../run/launch";
import { timed } from "../run/runs";
import { seconds } from "./words";

/** Measured is what a runner's device told of the launch that the lens shows. */
export interface Measured {
  device: Device;
  timings: Timings;
  registers: number; // of a thread; 0 where the device does not say
  spilled: number; // bytes of a thread that have no register
}

/** measured is of the last run on a device, which timed its first launch. */
export const measured = computed<Measured | undefined>(() => {
  const { device, timings, compiled } = timed.value ?? {};
  const isFirst = route.value.page !== "document" && choice.value.test === 0 && !elsewhere.value;
  return device && timings && isFirst ? { device, timings, registers: compiled?.registers ?? 0, spilled: compiled?.spillBytes ?? 0 } : undefined;
});

/** modelOf is the model's GPU that a device is; undefined where it is another. */
export function modelOf(device: Device, roofline: readonly Roofline[]): Roofline | undefined {
  return roofline.find(({ gpu }) => device.name.includes(gpu.replace(" SXM", "")));
}

/** saidOf sets a measured time against the model's, in a sentence. */
export function saidOf({ device, timings }: Measured, roofline: readonly Roofline[]): string {
  const words = l.value;
  const median = timings.median / 1e9;
  const said = words.median(device.name, seconds(median), timings.n);
  const model = modelOf(device, roofline);
  return `${said} ${model ? words.against(model.gpu, seconds(leastOf(model)), short(median / leastOf(model))) : roofline.length ? words.otherDevice : ""}`;
}

/** leastOf is the least time that a kernel takes by the model, in seconds. */
export function leastOf({ memorySeconds, computeSeconds }: Roofline): number {
  return Math.max(memorySeconds, computeSeconds);
}

/** MeasuredSection is a table of what was measured and of the same by the model. */
export function MeasuredSection({ of, report }: { of: Measured; report: Report }) {
  const words = l.value;
  const { roofline, occupancy } = report;
  const bytes = report.readBytes + report.writtenBytes;
  const operations = bytes * (roofline[0]?.intensity ?? 0);
  const columns: { name: string; at: (time: number) => string }[] = [
    { name: words.time, at: seconds },
    { name: words.bandwidth, at: (time) => `${short(bytes / time / 1e9)} GB/s` },
    ...(operations ? [{ name: words.operations, at: (time: number) => `${short(operations / time / 1e9)} GFLOP/s` }] : []),
  ];
  const rows = [
    { name: words.measuredOn(of.device.name), time: of.timings.median / 1e9, registers: of.spilled ? words.spilled(of.registers, size(of.spilled)) : String(of.registers) },
    ...roofline.map((r) => ({ name: words.modelOf(r.gpu), time: leastOf(r), registers: words.atMost(occupancy.maxRegisters) })),
  ];
  return (
    <section aria-labelledby="lens-measured">
      <h3 id="lens-measured">{words.measured}</h3>
      <p>{saidOf(of, roofline)}</p>
      <div class="table-box" tabIndex={0} role="region" aria-label={words.measured}>
        <table class="lens-table">
          <thead><tr><td />{columns.map(({ name }) => <th key={name} scope="col">{name}</th>)}{of.registers > 0 && <th scope="col">{words.threadRegisters}</th>}</tr></thead>
          <tbody>
            {rows.map(({ name, time, registers }) => (
              <tr key={name}><th scope="row">{name}</th>{columns.map((c) => <td key={c.name}>{c.at(time)}</td>)}{of.registers > 0 && <td>{registers}</td>}</tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="fine">{words.measuredNote}</p>
    </section>
  );
}
