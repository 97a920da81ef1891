import { type OpenedFile, setFile } from "../document/file";
import { doc, go, replaceText, save, visit } from "../document/workspace";
import { newlines } from "../lib/newlines";
import { keepBefore, noteLinked } from "./before";

/** takeDocument shows a text as the document. The text that it replaces can be brought back. */
export function takeDocument(given: string, from: OpenedFile): void {
  const text = newlines(given);
  save();
  go({ page: "document" });
  visit({ page: "document" });
  keepBefore(text);
  noteLinked(doc.peek(), text);
  setFile(from);
  replaceText(text);
}
