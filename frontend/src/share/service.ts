import { isRecord } from "../lib/storage";
import { t } from "../i18n/table";
import { lang } from "../settings/settings";
import { isID } from "../state/link";

/** Made is the share service's reply to a new short link. */
export interface Made {
  id: string;
  url: string;
  key?: string; // deletes the link; only its first author gets one
  expires?: string; // RFC 3339
}

/** Failed is an error of the service, with a message for people. */
export interface Failed {
  problem: string;
  gone?: boolean; // there is no such link, or no longer
}

const contentType = "application/x-newt-link";
/** How long the service may take; on a first visit the compiler travels over the same slow link. */
const timeoutMs = 60_000;

/** fetchPayload asks for the payload of a short link. */
export async function fetchPayload(id: string): Promise<{ payload: string } | Failed> {
  if (!isID(id)) return { problem: t.peek().noSuchLink, gone: true };
  const response = await ask(`api/share/${id}`, {});
  if ("problem" in response) return response;
  if (!response.headers.get("Content-Type")?.startsWith(contentType)) return { problem: t.peek().noShareService };
  const payload = await response.text().catch(() => undefined); // the connection broke, or the time was up
  return payload === undefined ? { problem: t.peek().siteUnreachable } : { payload };
}

/** makeShort stores a payload on this site; days is how long, 0 for no end. */
export async function makeShort(payload: string, days: number): Promise<Made | Failed> {
  const response = await ask(days ? `api/share?days=${days}` : "api/share", {
    method: "POST", body: payload, headers: { "Content-Type": contentType },
  });
  if ("problem" in response) return response;
  const made: unknown = await response.json().catch(() => undefined);
  return isMade(made) ? made : { problem: t.peek().noShareService };
}

/** deleteShort removes a short link with its author's key. */
export async function deleteShort(id: string, key: string): Promise<Failed | undefined> {
  const response = await ask(`api/share/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${key}` } });
  return "problem" in response ? response : undefined;
}

/** ask sends a request; what is not an answer of the share service means that this site has none. */
async function ask(address: string, options: Omit<RequestInit, "headers"> & { headers?: Record<string, string> }): Promise<Response | Failed> {
  const words = t.peek();
  const headers = { ...options.headers, "Accept-Language": lang.peek() };
  try {
    const response = await fetch(address, { ...options, headers, signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return response;
    const refusal: unknown = await response.json().catch(() => undefined);
    const gone = response.status === 404 || response.status === 410;
    if (isRecord(refusal) && typeof refusal["message"] === "string") return { problem: refusal["message"], gone };
    return { problem: response.status >= 500 ? words.siteBroken : words.noShareService };
  } catch {
    return { problem: words.siteUnreachable };
  }
}

function isMade(value: unknown): value is Made {
  return isRecord(value) && typeof value["id"] === "string" && isID(value["id"]) && typeof value["url"] === "string" &&
    /^https?:\/\//.test(value["url"]);
}
