/** headerBytes is the length of a binary frame's header. */
export const headerBytes = 24;

const version = 1;

/** Kind is the kind of payload of a binary frame. */
export const kinds = { ir: 1, tensor: 2, result: 3 } as const;

export interface Header {
  kind: number;
  tensor: number;
  job: number;
  seq: number;
  offset: number;
}

/** frame is a binary frame from a client. */
export function frame(header: Omit<Header, "seq">, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setUint8(1, header.kind);
  view.setUint16(2, header.tensor, true);
  view.setUint32(4, header.job, true);
  view.setBigUint64(16, BigInt(header.offset), true);
  bytes.set(payload, headerBytes);
  return bytes;
}

/** readHeader reads the header of a result's frame; undefined if it is none of this version, or has no payload. */
export function readHeader(bytes: Uint8Array): Header | undefined {
  if (bytes.length <= headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const header = {
    kind: view.getUint8(1), tensor: view.getUint16(2, true), job: view.getUint32(4, true), seq: view.getUint32(8, true),
    offset: Number(view.getBigUint64(16, true)),
  };
  const reserved = view.getUint32(12, true);
  return view.getUint8(0) === version && header.kind === kinds.result && header.seq > 0 && reserved === 0 ? header : undefined;
}
