// The page's first script, apart from the others so that it does not wait for them: it has the browser fetch what a first
// visit shows, and the program which the address needs. Some time later content/stored.ts and engine/engines.ts ask for the
// same files.
import assets from "newt:assets";
import { browserLang } from "./lib/lang";
import { browserStorage, isRecord, readJSON } from "./lib/storage";

const local = browserStorage("localStorage");

/** lastPage is the address of an earlier visit; state/route.ts shows it if the address names none. */
const lastPage = local.getItem("newt:last") ?? "";

function preload(name: string, type: string, priority: "high" | "low"): void {
  document.head.append(Object.assign(document.createElement("link"), {
    rel: "preload", href: name, as: "fetch", type, crossOrigin: "anonymous", fetchPriority: priority,
  }));
}

if (lastPage === "" && ["", "#/free"].includes(location.hash)) {
  const kept = readJSON(local, "newt:settings", isRecord)?.["lang"];
  preload(assets.stored[kept === "en" || kept === "zh" ? kept : browserLang()], "application/json", "high");
}
preload(((location.hash || lastPage) === "#/document" ? assets.documents : assets.wasm).name, "application/wasm", "low");
