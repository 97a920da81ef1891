import { computed, signal } from "@preact/signals";
import { Connection } from "../runner/connection";
import { runnerAddress } from "../runner/address";
import { known, tokenOf } from "./devices";

/** Link is a connection to a runner; made settles with its hello. */
interface Link {
  connection: Connection;
  made: Promise<Connection>;
}

/** links are those that were made, by runner; one that closed is made anew. */
const links = signal<Readonly<Record<string, Link>>>({});

/** states tells of each runner how its connection stands. */
export const states = computed(() => Object.fromEntries(Object.entries(links.value).map(([runner, { connection }]) => [runner, connection.state.value])));

/** connect gives the connection to a runner; rejects with a RunnerLoss. */
export function connect(runner: string, token = tokenOf(runner)): Promise<Connection> {
  const open = links.peek()[runner];
  if (open && open.connection.state.peek() !== "closed") return open.made;
  const connection = new Connection(addressOf(runner), token);
  const made = connection.connect().then((hello) => {
    known.value = { ...known.peek(), [runner]: hello.devices };
    return connection;
  });
  links.value = { ...links.peek(), [runner]: { connection, made } };
  return made;
}

/** disconnect ends the connection to a runner. */
export function disconnect(runner: string): void {
  links.peek()[runner]?.connection.close();
}

/** addressOf is the websocket's address of a runner. */
function addressOf(runner: string): string {
  if (runner) return runner;
  const own = runnerAddress(location.origin, location);
  return "address" in own ? own.address : "";
}
