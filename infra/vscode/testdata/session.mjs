// A session of an editor with newt lsp, as the extension starts it. Each step prints a line.
import { readFile, rename } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import * as lsp from "vscode-languageserver-protocol/node";
import { activate, deactivate } from "../extension.js";
import * as clients from "./client.mjs";
import { registered, settings, shown } from "./vscode.mjs";

const [one, two] = JSON.parse(process.env.FOLDERS).map((folder) => new URL(folder.uri + "/"));
const say = (...parts) => console.log(parts.map((p) => (typeof p === "string" ? p : JSON.stringify(p))).join(" "));

async function session() {
  const context = { subscriptions: [] };
  await activate(context);
  let client = clients.current;
  say("started", client.server.args, client.client.documentSelector, context.subscriptions.length);
  const provided = client.answer.capabilities;
  say("capabilities", provided.semanticTokensProvider.legend.tokenModifiers, provided.inlayHintProvider);

  const versions = new Map();
  const texts = new Map();
  async function open(uri, text) {
    versions.set(uri, 1);
    texts.set(uri, text);
    await client.connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "python", version: 1, text },
    });
  }
  async function edit(uri, contentChanges) {
    versions.set(uri, versions.get(uri) + 1);
    await client.connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: versions.get(uri) }, contentChanges,
    });
  }
  const close = (uri) =>
    client.connection.sendNotification(lsp.DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  const found = (uri) => client.found.get(uri)?.diagnostics.map((d) => d.code) ?? null;
  async function until(uri, codes) {
    await client.until(() => JSON.stringify(found(uri)) === JSON.stringify(codes));
    say(uri.slice(one.href.length - 4), codes);
  }

  // A mistake behind a character of two units, and its fix.
  const kernel = new URL("kernel.py", one).href;
  const text = await readFile(new URL("kernel.py", one), "utf8");
  await open(kernel, text);
  await until(kernel, ["unknown-name"]);
  const mistake = client.found.get(kernel).diagnostics[0];
  say("at", mistake.range);
  const actions = await client.connection.sendRequest(lsp.CodeActionRequest.type, {
    textDocument: { uri: kernel }, range: mistake.range, context: { diagnostics: [mistake] },
  });
  say("fix", actions[0].title, actions[0].edit.changes[kernel]);
  await edit(kernel, actions[0].edit.changes[kernel].map(({ range, newText }) => ({ range, text: newText })));
  await until(kernel, []);

  const position = { line: 7, character: 25 };
  const hover = await client.connection.sendRequest(lsp.HoverRequest.type, { textDocument: { uri: kernel }, position });
  say("hover", hover.contents.value.split("\n")[1], hover.range);
  const tokens = await client.connection.sendRequest(lsp.SemanticTokensRequest.type, { textDocument: { uri: kernel } });
  say("tokens", tokens.data.slice(0, 20));
  const hints = async (uri) =>
    (await client.connection.sendRequest(lsp.InlayHintRequest.type, {
      textDocument: { uri }, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    })).map((h) => `${h.position.line}:${h.position.character} ${h.label}`);
  say("before the run", await hints(kernel));
  await client.until(() => client.refreshed === 1);
  say("after it", await hints(kernel));

  // The second folder has a module of the same name, which is another one. What is typed there is seen before it is
  // saved.
  const other = new URL("kernel.py", two).href;
  const helper = new URL("helper.py", two).href;
  await open(other, await readFile(new URL("kernel.py", two), "utf8"));
  await until(other, []);
  const size = await readFile(new URL("helper.py", two), "utf8");
  await open(helper, size);
  await edit(helper, [{ text: size.replace("8", "3") }]);
  await until(other, ["arange-power-of-two"]);
  await close(helper);
  await until(other, []);
  await rename(new URL(helper), new URL("renamed.py", two));
  await client.connection.sendNotification(lsp.DidChangeWatchedFilesNotification.type, {
    changes: [{ uri: helper, type: lsp.FileChangeType.Deleted }],
  });
  await until(other, ["not-in-newt"]);
  await close(other);
  await until(other, []);

  // Other settings start it again; what cannot start is said.
  settings.values = false;
  settings.triton = "3.6";
  await registered.configuration({ affectsConfiguration: (name) => name === "newt" });
  say("again", clients.started, client.status, clients.current.server.args, clients.current.answer.capabilities.inlayHintProvider);
  client = clients.current;
  settings.path = "newt-that-is-not-there";
  await registered["newt.restart"]();
  say("stopped", client.status, shown);
  await deactivate();
}

session().catch((error) => {
  console.error(error);
  process.exit(1);
});
