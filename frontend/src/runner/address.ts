/** path is where a runner answers on its server. */
const path = "/api/runner";

/** Why an address cannot be used. */
export type AddressProblem = "empty" | "scheme" | "mixed";

const schemes: Readonly<Record<string, string>> = { "ws:": "ws:", "wss:": "wss:", "http:": "ws:", "https:": "wss:" };

/** hosts are names and numbers of hosts: browsers take "ws://not an address" for an address, with escapes in its host. */
const hosts = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/**
 * runnerAddress completes what a person writes for a runner: "lab", "lab:8080", "ws://lab:8080", "https://lab/".
 * Without a scheme it is the page's own kind of connection.
 */
export function runnerAddress(text: string, page: { protocol: string }): { address: string } | { problem: AddressProblem } {
  const trimmed = text.trim();
  if (!trimmed) return { problem: "empty" };
  const secure = page.protocol === "https:";
  let url: URL;
  try {
    url = new URL(/^[a-z]+:\/\//i.test(trimmed) ? trimmed : `${secure && !local(trimmed) ? "wss" : "ws"}://${trimmed}`);
  } catch {
    return { problem: "scheme" };
  }
  const scheme = schemes[url.protocol];
  if (!scheme || !hosts.test(url.host) || url.username || url.password || url.search || url.hash) return { problem: "scheme" };
  if (secure && scheme === "ws:" && !local(url.host)) return { problem: "mixed" };
  return { address: `${scheme}//${url.host}${url.pathname === "/" ? path : url.pathname}` };
}

/** local: browsers let a page of HTTPS talk to its own machine without encryption. */
function local(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(host);
}
