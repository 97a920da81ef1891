// vscode-languageclient without VS Code: the same protocol library over a process. Tests speak through `current`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as lsp from "vscode-languageserver-protocol/node";

export let current;
export let started = 0;

export class LanguageClient {
  constructor(id, name, server, client) {
    this.server = server;
    this.client = client;
  }

  async start() {
    this.process = spawn(this.server.command, this.server.args, { stdio: ["pipe", "pipe", "inherit"] });
    await once(this.process, "spawn");
    this.exited = once(this.process, "exit");
    this.connection = lsp.createProtocolConnection(
      new lsp.StreamMessageReader(this.process.stdout), new lsp.StreamMessageWriter(this.process.stdin));
    this.found = new Map();
    this.waiting = [];
    this.connection.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
      this.found.set(p.uri, p);
      this.wake();
    });
    this.refreshed = 0;
    this.connection.onRequest(lsp.InlayHintRefreshRequest.type, () => {
      this.refreshed++;
      this.wake();
    });
    this.connection.listen();
    this.answer = await this.connection.sendRequest(lsp.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: JSON.parse(process.env.FOLDERS),
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: { inlayHint: { refreshSupport: true }, workspaceFolders: true },
        textDocument: { publishDiagnostics: { relatedInformation: true }, inlayHint: {} },
      },
    });
    await this.connection.sendNotification(lsp.InitializedNotification.type, {});
    current = this;
    started++;
  }

  wake() {
    for (const w of this.waiting.splice(0)) w();
  }

  // until waits for messages until one makes the condition true.
  async until(condition) {
    while (!condition()) await new Promise((resolve) => this.waiting.push(resolve));
  }

  async stop() {
    await this.connection.sendRequest(lsp.ShutdownRequest.type);
    await this.connection.sendNotification(lsp.ExitNotification.type);
    this.status = (await this.exited)[0];
  }
}
