import "./styles/index.css";
import { render } from "preact";
import { App } from "./app/app";
import { watchFolding } from "./app/dividers";
import { watchShortcuts } from "./app/shortcuts";
import { watchPane } from "./app/tabs";
import { startEngines } from "./engine/engines";
import { watchContent } from "./content/content";
import { storedOrLate } from "./content/stored";
import { watchKernels } from "./document/call";
import { watchExamples } from "./free/watch-examples";
import { afterFrame } from "./lib/frame";
import { watchOffline } from "./offline/register";
import { watchLesson } from "./basics/open";
import { watchMap } from "./map/open";
import { watchCells } from "./cells/watch";
import { watchLinks } from "./share/incoming";
import { watchSession } from "./run/cells";
import { watchChecks } from "./run/checks";
import { watchProgress } from "./run/marks";
import { watchPointed } from "./run/pointed";
import { watchLanguage } from "./run/runs";
import { watchWords } from "./i18n/table";
import { watchSettings } from "./settings/settings";
import { watchPointer } from "./ui/under-pointer";
import { route, watchWorkspace } from "./document/workspace";

watchSettings();
watchContent();
watchLesson(); // this and the map before the workspace gives the page an address
watchMap();
watchWorkspace();
watchPane();
watchFolding();
watchKernels();
watchChecks();
watchProgress();
watchLanguage();
watchExamples();
watchShortcuts();
watchLinks();
watchSession();
watchCells();
watchPointed();
watchOffline();
watchPointer();

const root = document.getElementById("app");
if (root) {
  void Promise.all([watchWords(), storedOrLate()]).then(() => {
    render(<App />, root);
    // To compile the programs takes the machine's cores, which the first frame needs.
    afterFrame(() => startEngines(route.peek().page === "document"));
  });
}
