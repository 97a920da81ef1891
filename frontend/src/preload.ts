// The page's first script, apart from the others so that it does not wait for them: it has the browser fetch the program
// which the address needs. Half a second later engine/engines.ts asks for the same file.
import assets from "newt:assets";

/** lastPage is the address of an earlier visit; state/route.ts shows it if the address names none. */
function lastPage(): string {
  try {
    return localStorage.getItem("newt:last") ?? "";
  } catch {
    return ""; // the browser keeps nothing
  }
}

const { name } = (location.hash || lastPage()) === "#/document" ? assets.documents : assets.wasm;
const link = Object.assign(document.createElement("link"), {
  rel: "preload", href: name, as: "fetch", type: "application/wasm", crossOrigin: "anonymous",
});
document.head.append(link);
