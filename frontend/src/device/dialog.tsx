import { computed, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../ui/dialog";
import { keysOf } from "../ui/shortcuts";
import type { Device } from "../gen/protocol";
import { d } from "../i18n/device";
import { t } from "../i18n/table";
import { Phrase } from "../ui/phrase-view";
import { runnerAddress } from "../runner/address";
import { lossOf, type RunnerLoss } from "../runner/loss";
import { lang } from "../settings/settings";
import { type Choice, choice, chooseDevice, deviceOpen, forget, known, remember, runners, tokenOf } from "./devices";
import { connect, disconnect, states } from "./link";
import { hostOf, lossWords } from "./words";

/** How often runners that did not answer are tried again while the dialog is open. */
const lookAgainMs = 5000;

/** losses are why runners could not be reached, by address. */
const losses = signal<Readonly<Record<string, RunnerLoss>>>({});

/** offered tells whether the page's own server has a runner; undefined until it has said so. */
const offered = signal<boolean | undefined>(undefined);

/** answered are the runners that have answered, or were found not to, in that order: what arrives moves nothing that is seen. */
const answered = signal<readonly string[]>([]);

/** asked are the runners that have yet to answer. */
const asked = computed(() => ["", ...runners.value.map((r) => r.address).filter(Boolean)].filter((a) => !answered.value.includes(a)));

/** DeviceDialog chooses the device for Ctrl+Shift+Enter, and adds runners. */
export default function DeviceDialog() {
  const words = t.value;
  const more = d.value;
  useEffect(() => {
    if (!deviceOpen.value) return;
    void lookAround();
    const timer = window.setInterval(lookAgain, lookAgainMs);
    return () => window.clearInterval(timer);
  }, [deviceOpen.value]);
  return (
    <Dialog open={deviceOpen.value} title={words.deviceTitle} close={words.close} class="device-dialog" onClose={() => (deviceOpen.value = false)}>
      <p>{more.deviceLead(keysOf("runThere"))}</p>
      <fieldset class="devices">
        <legend class="unseen">{words.deviceTitle}</legend>
        <Option choice={undefined} name={more.devicePage} note={more.devicePageNote} />
        {answered.value.map((address) => <RunnerPart key={address} address={address} />)}
        {asked.value.length > 0 && <p class="runner runner-asked" role="status">{asked.value.map(nameOf).join(", ")}: {more.runnerStates.connecting}</p>}
      </fieldset>
      <AddRunner />
      <p class="fine">{more.devicePrivacy}</p>
    </Dialog>
  );
}

/** lookAround connects to what can be connected to without asking: the own server, and remembered runners. */
async function lookAround(): Promise<void> {
  for (const r of runners.peek()) if (r.address) void tryConnect(r.address);
  const health = await fetch("/healthz").then((r) => (r.headers.get("Content-Type")?.startsWith("text/plain") ? r.text() : "")).catch(() => "");
  const lends = /^(ok|stopping)\n./.test(health);
  offered.value = lends;
  if (lends) void tryConnect("");
  else answer("");
}

/** lookAgain tries the runners that did not answer: a server that starts, or a busy one, may answer by now. */
function lookAgain(): void {
  const kept = ["", ...runners.peek().map((r) => r.address)];
  for (const address of kept) if (losses.peek()[address]?.reason === "unreachable") void tryConnect(address);
}

function answer(address: string): void {
  if (!answered.peek().includes(address)) answered.value = [...answered.peek(), address];
}

function nameOf(address: string): string {
  return address ? hostOf(address) : d.value.deviceServer;
}

async function tryConnect(address: string, token = tokenOf(address)): Promise<boolean> {
  const loss = await connect(address, token).then(() => undefined, lossOf);
  if (address && !runners.peek().some((r) => r.address === address)) return false; // it was forgotten meanwhile
  if (loss) losses.value = { ...losses.peek(), [address]: loss };
  else forgetLoss(address);
  answer(address);
  return !loss;
}

function forgetLoss(address: string): void {
  const { [address]: _, ...others } = losses.peek();
  losses.value = others;
}

/** RunnerPart is a runner: how it stands, and its devices. */
function RunnerPart({ address }: { address: string }) {
  const words = t.value;
  const more = d.value;
  const state = states.value[address];
  const devices = known.value[address] ?? [];
  const loss = losses.value[address];
  const none = address === "" && offered.value === false;
  return (
    <div class="runner" data-runner={address || "own"} data-state={state ?? "none"}>
      <div class="runner-head">
        <b>{nameOf(address)}</b>
        <span role="status">{none ? more.deviceServerNone : loss && state !== "connecting" ? "" : more.runnerStates[state ?? "closed"]}</span>
        <span class="spring" />
        {loss && <button type="button" class="link" onClick={() => void tryConnect(address)}>{words.retry}</button>}
        {address && <button type="button" class="link" onClick={() => drop(address)}>{words.ownForget}</button>}
      </div>
      {loss && <p class="fault" role="alert"><Phrase text={lossWords(loss, lang.value)} /></p>}
      {loss?.diagnostic?.code.startsWith("runner-token") && <TokenForm address={address} />}
      {state === "ready" && devices.map((d) => (
        <Option key={d.id} choice={{ runner: address, id: d.id, name: d.name }} name={d.name} note={noteOf(d)} />
      ))}
    </div>
  );
}

function noteOf(device: Device): string {
  const { id, name, arch, driver, memoryBytes } = device;
  return [id === name.toLowerCase() ? "" : id, arch, driver && d.value.deviceDriver(driver), memoryBytes && `${Math.round(memoryBytes / 2 ** 30)} GiB`].filter(Boolean).join(" · ");
}

function drop(address: string): void {
  disconnect(address);
  forget(address);
  forgetLoss(address);
  answered.value = answered.peek().filter((a) => a !== address);
}

function Option({ choice: of, name, note }: { choice: Choice | undefined; name: string; note: string }) {
  const now = choice.value;
  const checked = now?.runner === of?.runner && now?.id === of?.id;
  return (
    <label class="device">
      <input type="radio" name="device" checked={checked} onChange={() => chooseDevice(of)} />
      <span>{name}</span>
      {note && <span class="fine">{note}</span>}
    </label>
  );
}

/** field is the text of a form's field, without the white space around it. */
function field(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value.trim() : "";
}

/** TokenForm asks for the token of a runner that wants another. */
function TokenForm({ address }: { address: string }) {
  const more = d.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const token = field(new FormData(event.currentTarget as HTMLFormElement), "token");
    void tryConnect(address, token).then((fits) => fits && remember({ address, token }));
  };
  return (
    <form class="add-runner" onSubmit={submit}>
      <label>{more.deviceToken}<input name="token" type="password" autocomplete="off" spellcheck={false} required /></label>
      <button type="submit" class="quiet">{more.deviceConnect}</button>
    </form>
  );
}

const addProblem = signal<"empty" | "scheme" | "mixed" | undefined>(undefined);

/** AddRunner remembers another runner and connects to it. */
function AddRunner() {
  const more = d.value;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    const read = runnerAddress(field(data, "address"), location);
    addProblem.value = "problem" in read ? read.problem : undefined;
    if ("problem" in read) return;
    remember({ address: read.address, token: field(data, "token") });
    disconnect(read.address);
    form.reset();
    void tryConnect(read.address);
  };
  return (
    <form class="add-runner" id="add-runner" onSubmit={submit}>
      <h3>{more.deviceAdd}</h3>
      <label>{more.deviceAddress}<input name="address" type="text" inputmode="url" placeholder="ws://lab:8080" autocomplete="off" autocapitalize="off" spellcheck={false} /></label>
      <label>{more.deviceToken}<input name="token" type="password" autocomplete="off" spellcheck={false} /></label>
      <button type="submit" class="quiet">{more.deviceConnect}</button>
      {addProblem.value && <p class="fault" role="alert">{more.addressProblems[addProblem.value]}</p>}
    </form>
  );
}
