import { type OpenedFile, setFile } from "../document/file";
import { doc, go, replaceText, save, visit } from "../document/workspace";
import { keepBefore, noteLinked } from "./before";

/** takeDocument shows a text as the document. The text that it replaces can be brought back. */
export function takeDocument(text: string, from: OpenedFile): void {
  save();
  go({ page: "document" });
  visit({ page: "document" });
  keepBefore(text);
  noteLinked(doc.peek(), text);
  setFile(from);
  replaceText(text);
}
