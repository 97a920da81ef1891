// Calls of the page that a test watches or holds back.

type Wrap<R> = (call: () => R, args: unknown[], self: unknown) => R;

/** around has wrap called in the place of a function, which it may call. */
function around<R>(owner: object, name: string, wrap: Wrap<R>) {
  const real = Reflect.get(owner, name) as (...args: unknown[]) => R;
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    return wrap(() => Reflect.apply(real, this, args), args, this);
  });
}

const held: (() => void)[] = [];

/** holding tells whether something waits for release. */
export const holding = () => held.length > 0;

/** release lets what is held back go on, and holds no request back any more. */
export function release() {
  traffic.hold = undefined;
  for (const go of held.splice(0)) go();
}

type Message = { text?: string };

/** workers are those that the page has made since watchWorkers and not ended. */
export const workers: Worker[] = [];

/** traffic is what workers were asked and what they answered since watchWorkers; requests that match hold wait for release. */
export const traffic: { asked: Message[]; answered: Message[]; hold?: RegExp | undefined } = { asked: [], answered: [] };

export function watchWorkers(hold?: string) {
  traffic.hold = hold === undefined ? undefined : new RegExp(hold);
  window.Worker = new Proxy(Worker, {
    construct(target, options: ConstructorParameters<typeof Worker>) {
      const worker = new target(...options);
      worker.addEventListener("message", ({ data }) => traffic.answered.push(data as Message));
      workers.push(worker);
      return worker;
    },
  });
  around(Worker.prototype, "terminate", (terminate, _, worker) => {
    const at = workers.indexOf(worker as Worker);
    if (at >= 0) workers.splice(at, 1);
    terminate();
  });
  around(Worker.prototype, "postMessage", (send, [message]) => {
    traffic.asked.push(message as Message);
    if (traffic.hold?.test((message as Message).text ?? "")) held.push(send);
    else send();
  });
}

/** holdFetch holds back what is fetched from an address with that end. */
export const holdFetch = (end: string) => around<Promise<Response>>(window, "fetch", (real, [what]) =>
  new Request(what as string).url.endsWith(end) ? new Promise((resolve) => held.push(() => resolve(real()))) : real());

/** holdDatabases has databases open at a release, as where the browser's storage is slow. */
export function holdDatabases() {
  const released = new Promise<void>((resolve) => held.push(resolve));
  around<IDBOpenDBRequest>(IDBFactory.prototype, "open", (open) => Object.defineProperty(open(), "onsuccess", {
    set(this: IDBOpenDBRequest, then: () => void) { this.addEventListener("success", () => void released.then(then)); },
  }));
}

const timers = new Map<number, { ms: number; fire: () => void }>();

/** holdTimers keeps the page's timers of 200 ms and more from firing. */
export function holdTimers() {
  let last = 1e9;
  around<number>(window, "setTimeout", (start, [callback, ms, ...rest]) => {
    if (!(Number(ms) >= 200)) return start();
    timers.set(++last, { ms: Number(ms), fire: () => (callback as (...rest: unknown[]) => void)(...rest) });
    return last;
  });
  around<void>(window, "clearTimeout", (stop, [id]) => timers.delete(id as number) ? undefined : stop());
}

/** ring fires the held timers that last from least to less than most milliseconds. */
export function ring(least: number, most: number) {
  for (const [id, { ms, fire }] of timers) if (ms >= least && ms < most && timers.delete(id)) fire();
}
