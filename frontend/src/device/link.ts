import { computed, signal } from "@preact/signals";
import { Connection } from "../runner/connection";
import { runnerAddress } from "../runner/address";
import { known, tokenOf } from "./devices";

/** connections are those that were made, by runner; one that closed is made anew. */
const connections = signal<Readonly<Record<string, Connection>>>({});

/** states tells of each runner how its connection stands. */
export const states = computed(() => Object.fromEntries(Object.entries(connections.value).map(([runner, c]) => [runner, c.state.value])));

const dialing = new Map<string, Promise<Connection>>();

/** connect gives the connection to a runner; rejects with a RunnerLoss. */
export function connect(runner: string, token = tokenOf(runner)): Promise<Connection> {
  const open = connections.peek()[runner];
  if (open && open.state.peek() !== "closed") return dialing.get(runner) ?? Promise.resolve(open);
  const connection = new Connection(addressOf(runner), token);
  connections.value = { ...connections.peek(), [runner]: connection };
  const made = connection.connect().then((hello) => {
    known.value = { ...known.peek(), [runner]: hello.devices };
    return connection;
  }).finally(() => dialing.delete(runner));
  dialing.set(runner, made);
  return made;
}

/** disconnect ends the connection to a runner. */
export function disconnect(runner: string): void {
  connections.peek()[runner]?.close();
}

/** addressOf is the websocket's address of a runner. */
function addressOf(runner: string): string {
  if (runner) return runner;
  const own = runnerAddress(location.origin, location);
  return "address" in own ? own.address : "";
}
