// The page's first script, apart from the others so that it does not wait for them: it fetches what a first visit shows, and
// has the browser fetch the program which the address needs. Some time later content/stored.ts and engine/engines.ts ask for
// the same files.
import assets from "newt:assets";
import { earlyAnswer } from "./lib/early";
import { browserLang } from "./lib/lang";
import { browserStorage, isRecord, readJSON } from "./lib/storage";

const local = browserStorage("localStorage");

/** lastPage is the address of an earlier visit; state/route.ts shows it if the address names none. */
const lastPage = local.getItem("newt:last") ?? "";

if (lastPage === "" && ["", "#/free"].includes(location.hash)) {
  const kept = readJSON(local, "newt:settings", isRecord)?.["lang"];
  void earlyAnswer(assets.stored[kept === "en" || kept === "zh" ? kept : browserLang()]);
}
document.head.append(Object.assign(document.createElement("link"), {
  rel: "preload", href: ((location.hash || lastPage) === "#/document" ? assets.documents : assets.wasm).name,
  as: "fetch", type: "application/wasm", crossOrigin: "anonymous", fetchPriority: "low",
}));
