import type { SessionDevice, SessionRemote } from "../run/cells";
import type { Connection } from "../runner/connection";
import type { Choice } from "./devices";
import { openRemote } from "./remote";

/** Kept are the buffers that a session has on its runner, through the connection that they came by. */
interface Kept {
  connection: Connection;
  buffers: Set<number>;
}

/** sessionDevice is a chosen device for a document's session. */
export function sessionDevice(on: Choice): SessionDevice {
  let kept: Kept | undefined;
  return {
    name: on.name,
    async open(onStage): Promise<SessionRemote> {
      const remote = await openRemote(on, onStage);
      const { connection } = remote;
      if (kept?.connection !== connection) kept = { connection, buffers: new Set() };
      remote.buffers = kept.buffers;
      return Object.assign(remote, { request: { hello: JSON.stringify(connection.hello.peek()), device: on.id } });
    },
    end() {
      if (kept?.buffers.size) kept.connection.free([...kept.buffers]);
      kept = undefined;
    },
  };
}
