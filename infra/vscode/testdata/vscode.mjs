// What the extension needs of VS Code.
export const registered = {};
export const settings = { path: process.env.NEWT, triton: "", values: true };
export const shown = [];
export const env = { language: "en" };
export const window = { showErrorMessage: (text) => shown.push(text) };
export const commands = {
  registerCommand(name, run) {
    registered[name] = run;
    return { dispose() {} };
  },
};
export const workspace = {
  getConfiguration: () => ({ get: (name) => settings[name] }),
  createFileSystemWatcher: (pattern) => ({ pattern }),
  onDidChangeConfiguration(run) {
    registered.configuration = run;
    return { dispose() {} };
  },
};
