import "./styles/index.css";
import { render } from "preact";
import { App } from "./app/app";
import { watchShortcuts } from "./app/shortcuts";
import { watchPane } from "./app/view";
import { startEngines } from "./client/engines";
import { watchContent } from "./content/content";
import { watchKernels } from "./free/form-state";
import { watchExamples } from "./free/watch-examples";
import { watchChecks } from "./state/checks";
import { watchLanguage, watchProgress } from "./state/runs";
import { watchSettings } from "./state/settings";
import { watchWorkspace } from "./state/workspace";

startEngines();
watchSettings();
watchContent();
watchWorkspace();
watchPane();
watchKernels();
watchChecks();
watchProgress();
watchLanguage();
watchExamples();
watchShortcuts();

const root = document.getElementById("app");
if (root) render(<App />, root);
