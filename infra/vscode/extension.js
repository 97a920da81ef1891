// The extension starts `newt lsp` for Python files, and starts it again when its settings change.
import { commands, env, window, workspace } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** @type {LanguageClient | undefined} */
let client;

// Starts and stops follow each other: settings may change while the server starts.
let last = Promise.resolve();

function restart() {
  last = last.then(stop).then(start);
  return last;
}

async function start() {
  const settings = workspace.getConfiguration("newt");
  const command = settings.get("path") || "newt";
  const args = ["lsp", "--lang", env.language.startsWith("zh") ? "zh" : "en"];
  if (settings.get("triton")) args.push("--triton", settings.get("triton"));
  if (!settings.get("values")) args.push("--values=false");
  client = new LanguageClient("newt", "newt", { command, args }, {
    documentSelector: [{ scheme: "file", language: "python" }, { scheme: "untitled", language: "python" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.py") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`${command} lsp does not start (${error.message}). Install newt, or name it in the setting newt.path.`);
  }
}

async function stop() {
  await client?.stop().catch(() => {}); // it has ended by itself
  client = undefined;
}

export function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("newt.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("newt") && restart()),
  );
  return restart();
}

export function deactivate() {
  return last.then(stop);
}
