// What the tests ask of the page and do to it. Package e2e bundles this file, and each page has its exports as `probe`.
export * from "./calls";
export * from "./changes";
export * from "./elements";
export * from "./storage";
export * from "./times";
export * from "./wait";
export * from "./zoom";
