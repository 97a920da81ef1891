import { RunnerLoss } from "../runner/loss";
import type { Packed } from "../run/simulate";
import { type Beside, measure, specOf, type Which } from "./beside";
import type { Choice } from "./devices";
import { connect } from "./link";

/** NoGPU says that a device does not measure times of a GPU. */
export class NoGPU extends Error {}

/** timeOn measures two launches in turn on a device; onRun is called with the number of each that begins. Rejects with a RunnerLoss, NotTimed or NoGPU. */
export async function timeOn(on: Choice, launches: Record<Which, Packed>, onRun: (number: number) => void): Promise<Beside> {
  const connection = await connect(on.runner);
  const device = connection.hello.peek()?.devices.find((d) => d.id === on.id);
  if (!device) throw new RunnerLoss("device");
  if (!device.times || !device.arch) throw new NoGPU();
  const specs = { reference: specOf("reference", launches, on.id), answer: specOf("answer", launches, on.id) };
  return measure((spec) => connection.run(spec), specs, onRun);
}
