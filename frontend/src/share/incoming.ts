import { batch, computed, signal } from "@preact/signals";
import { isOfCode, isView, notice, pane, showView, view } from "../state/view";
import { choiceOf, pick } from "../run/choice";
import { showLinked } from "../run/code-choice";
import { pointAt, pointed } from "../run/pointed";
import { EngineFault } from "../engine/engine";
import { helper } from "../engine/engines";
import { isFast } from "../lib/fast";
import { content, puzzleOf } from "../content/content";
import { documentExample, examples } from "../content/examples";
import { fromBase64 } from "../lib/base64";
import { newlines } from "../lib/newlines";
import { setCall } from "../document/call";
import { formats, newID, setFile, unnamed } from "../document/file";
import { giveFiles, siblings } from "../document/siblings";
import type { LinkDocument, LinkResults, LinkState, Problem } from "../gen/api";
import { t } from "../i18n/table";
import { adopt, load } from "../content/own";
import { docOf, formatRoute, type Route } from "../state/route";
import { choose, lang } from "../settings/settings";
import { doc, keptText, replaceText, route, save, visit } from "../document/workspace";
import { documentViewOf, type Link, parseLink } from "../state/link";
import { isLinked, keepBefore, noteLinked } from "./before";
import { fetchPayload } from "./service";

/** Incoming is a link that somebody has opened and not yet decided about. */
export type Incoming =
  | { step: "reading" }
  | { step: "bad"; message: string }
  | { step: "shown" | "checking"; state: LinkState }
  | { step: "unsound"; state: LinkState; problems: Problem[] };

export const incoming = signal<Incoming | undefined>(undefined);

/** placed is the text that a link has put into the editor; it is not run by itself. */
export const placed = signal("");

const claims = signal<Readonly<Record<string, LinkResults>>>({});

/** claim is the result that the author of the opened link reports. */
export const claim = computed(() => claims.value[doc.value]);

/** watchLinks reads the link that the page is opened with, and those that follow. */
export function watchLinks(): void {
  const look = () => {
    const link = parseLink(location.hash);
    if (link) void read(link);
    else incoming.value = undefined;
  };
  addEventListener("hashchange", look);
  look();
}

/** dismiss leaves everything as it is. */
export function dismiss(): void {
  incoming.value = undefined;
  history.replaceState(null, "", formatRoute(route.peek()));
}

/** accept opens the link that is shown: a puzzle of somebody's own only if it is sound. */
export async function accept(): Promise<void> {
  const now = incoming.peek();
  if (now?.step !== "shown") return;
  const { state } = now;
  if (!state.custom) return place(routeOf(state), state);
  const checking: Incoming = { step: "checking", state };
  incoming.value = checking;
  const reply = await load(state.custom, lang.peek());
  if (incoming.peek() !== checking) return;
  if ("fault" in reply) incoming.value = { step: "bad", message: faultText(reply.fault) };
  else if (!reply.ok) incoming.value = { step: "unsound", state, problems: reply.problems };
  else place({ page: "own", id: adopt(state.custom, reply) }, state);
}

/** routeOf is where a link belongs; a puzzle that this newt does not have opens on the free page. */
export function routeOf(state: LinkState): Route {
  if (state.puzzle === 0 && documentViewOf(state.view)) return { page: "document" };
  const missing = content.value && !isFast(state.puzzle) && !puzzleOf(state.puzzle);
  return state.puzzle > 0 && !missing ? { page: "puzzle", puzzle: state.puzzle } : { page: "free" };
}

async function read(link: Link): Promise<void> {
  const reading: Incoming = { step: "reading" };
  incoming.value = reading;
  const outcome = await unpack(link).catch((fault: unknown): Incoming => ({
    step: "bad", message: fault instanceof EngineFault ? faultText(fault) : t.peek().linkUnreadable,
  }));
  if (incoming.peek() !== reading) return;
  if (outcome.step !== "shown" || outcome.state.custom) {
    incoming.value = outcome;
    return;
  }
  // What is asked about is the text of the link's own page, so the question is shown over that page.
  const to = routeOf(outcome.state);
  save();
  if (losesText(to, outcome.state.source)) {
    incoming.value = outcome;
    visit(to);
  } else {
    place(to, outcome.state);
    notice.value = "linkOpened";
  }
}

/** losesText is whether a link's text would replace one that somebody wrote. */
function losesText(to: Route, linked: string): boolean {
  const kept = keptText(to);
  const given = to.page === "free" ? examples.map((e) => e.source) : to.page === "document" ? [documentExample] : to.page === "puzzle" ? [puzzleOf(to.puzzle)?.starter] : [];
  return kept !== undefined && kept !== linked && !given.includes(kept) && !isLinked(docOf(to), kept);
}

async function unpack(link: Link): Promise<Incoming> {
  const found = "payload" in link ? link : await fetchPayload(link.id);
  if ("problem" in found) return { step: "bad", message: found.problem };
  const call = { lang: lang.peek(), unpack: { payload: found.payload } };
  const { unpack: reply } = await helper.call(call);
  if (!reply?.state) return { step: "bad", message: reply?.error || t.peek().linkUnreadable };
  return { step: "shown", state: { ...reply.state, source: newlines(reply.state.source) } };
}

function place(to: Route, state: LinkState): void {
  batch(() => {
    incoming.value = undefined;
    placed.value = state.source;
  });
  history.replaceState(null, "", formatRoute(to));
  visit(to);
  keepBefore(state.source);
  noteLinked(doc.peek(), state.source);
  if (to.page === "document") takeFiles(state.document);
  if (state.free && to.page === "free") setCall(state.free);
  choose({ strict: state.strict });
  replaceText(state.source);
  if (state.results) claims.value = { ...claims.peek(), [doc.peek()]: state.results };
  pick(choiceOf(state.look));
  showLinked(state.code);
  const inDocument = to.page === "document" ? documentViewOf(state.view) : undefined;
  if (inDocument !== undefined) {
    pick({ test: 0 });
    pointed.value = undefined;
    if (state.look || isOfCode(inDocument)) pointAt(state.look);
    if ((state.look || inDocument !== "memory") && isView(inDocument)) showView(inDocument);
    return;
  }
  if (state.results) view.value = "result"; // where its author's results are
  if (state.view === "statement" || state.view === "editor") pane.value = state.view;
  else if (state.view === "result" && !state.results) pane.value = "editor"; // there is none yet
  else if (isView(state.view)) showView(state.view);
}

/** takeFiles has the document be a link's file, with those next to it. */
function takeFiles(of: LinkDocument | undefined): void {
  const format = formats.find((f) => f === of?.format) ?? "python";
  setFile(of ? { name: of.name, format, id: newID() } : unnamed());
  siblings.value = [];
  giveFiles((of?.files ?? []).map(({ name, data }) => ({ name, bytes: fromBase64(data) })));
}

function faultText(fault: EngineFault): string {
  const { faults, linkTooSlow } = t.peek();
  return fault.reason === "timeout" ? linkTooSlow : faults[fault.reason];
}
