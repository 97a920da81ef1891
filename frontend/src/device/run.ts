import type { Launched } from "../engine/engine";
import type { Launch } from "../gen/api";
import type { Device, ServerMessage, Submit } from "../gen/protocol";
import { stage } from "../run/code-choice";
import type { DeviceRun, Stage } from "../run/result";
import type { Connection } from "../runner/connection";
import type { JobOutcome } from "../runner/job";
import { lossOf, RunnerLoss } from "../runner/loss";
import type { Choice } from "./devices";
import { connect } from "./link";

/** Remote passes one request's launches on to a device. */
export class Remote {
  readonly run: DeviceRun;
  /** loss is why the runner cannot be reached any more. */
  loss: RunnerLoss | undefined;
  /** buffers are those that a document's session has on the runner. */
  buffers = new Set<number>();
  private stopped = false;

  private constructor(readonly connection: Connection, device: Device, private readonly onStage: (stage: Stage) => void) {
    this.run = { device, launches: 0 };
  }

  /** open connects to the chosen device's runner; rejects with a RunnerLoss. */
  static async open(choice: Choice, onStage: (stage: Stage) => void): Promise<Remote> {
    onStage({ name: "connecting" });
    const connection = await connect(choice.runner);
    const devices = connection.hello.peek()?.devices ?? [];
    const device = devices.find((d) => d.id === choice.id);
    if (!device) throw new RunnerLoss("device");
    return new Remote(connection, device, onStage);
  }

  /** launch makes one launch, of the kernel's IR and tensors in buffers, and tells what came of it. */
  async launch(launch: Launch, buffers: ArrayBuffer[]): Promise<Launched> {
    const unwatch = this.connection.state.subscribe((state) => state === "lost" && this.onStage({ name: "lost" }));
    try {
      if (this.stopped) throw new RunnerLoss("closed");
      this.free(launch.free ?? []);
      const outcome = await this.submit(launch, buffers);
      this.note(buffers[0], outcome);
      return { launched: { messages: outcome.messages }, tensors: outcome.results.map((r) => r.buffer) };
    } catch (error) {
      this.loss = lossOf(error);
      return { launched: { lost: this.loss.reason === "buffers" ? "runner-buffer-unknown" : "runner-lost", messages: [] }, tensors: [] };
    } finally {
      unwatch();
    }
  }

  /** stop asks the runner to stop what it does for this page. */
  stop(): void {
    this.stopped = true;
    this.connection.cancel();
  }

  private submit(launch: Launch, buffers: ArrayBuffer[]): Promise<JobOutcome> {
    this.onStage({ name: "uploading" });
    const [ir, ...tensors] = buffers.map((b) => new Uint8Array(b));
    if (!ir) throw new RunnerLoss("protocol-error");
    const submit = JSON.parse(launch.submit) as Submit;
    for (const { buffer } of submit.tensors) if (buffer) this.buffers.add(buffer);
    const { id, sass } = this.run.device;
    const asked = sass && this.run.launches === 0 && stage.peek() === "sass"; // for whoever looks at it alone: it takes time
    return this.connection.run({
      submit: { ...submit, device: id, ...(asked && { sass }) },
      ir,
      tensors,
      onEvent: (message) => this.tell(message),
    });
  }

  private free(list: readonly number[]): void {
    const known = list.filter((buffer) => this.buffers.delete(buffer));
    if (known.length) this.connection.free(known);
  }

  private tell({ queued, started, compiled, progress, timings, sass, seq }: ServerMessage): void {
    if (queued) this.onStage({ name: "queued", position: queued.position });
    else if (started) this.onStage({ name: "compiling" });
    else if (compiled) this.onStage({ name: "running", done: 0, total: 0 });
    else if (progress) this.onStage({ name: "running", ...progress });
    else if (seq && !timings && !sass) this.onStage({ name: "measuring" });
  }

  /** note adds a launch; a job without a kernel only moves tensors. Shown is what the first one told. */
  private note(ir: ArrayBuffer | undefined, { compiled, timings, sass }: JobOutcome): void {
    if (!ir?.byteLength || this.run.launches++ > 0) return;
    if (compiled) this.run.compiled = compiled;
    if (timings) this.run.timings = timings;
    if (sass) this.run.sass = sass;
  }
}
