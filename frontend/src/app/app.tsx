import { EditorPane } from "../editor/editor-pane";
import { t } from "../i18n/table";
import { StatementPane } from "../statement/statement";
import { ResultPane } from "../result/result-pane";
import { UpdateNotice } from "../offline/notice";
import { LinkDialog } from "../share/link-dialog";
import { ShareDialog } from "../share/share-dialog";
import { deviceOpen } from "../device/devices";
import { Header } from "./header";
import { Help } from "./help";
import { lazy } from "../ui/lazy";
import { SkipLinks } from "./skip-links";
import { Splitter } from "../ui/splitter";
import { Tabs } from "./tabs";
import { ownOpen, pane } from "../state/view";

const OwnDialog = lazy(() => import("../own/dialog"));
const DeviceDialog = lazy(() => import("../device/dialog"));

/** App is the whole page: header, the three panes with two dividers, and a phone's tabs. */
export function App() {
  return (
    <>
      <SkipLinks />
      <Header />
      <UpdateNotice />
      <main class="panes" data-pane={pane.value}>
        <section class="pane statement" tabIndex={-1} aria-label={t.value.statementPane}><StatementPane /></section>
        <Splitter side={0} label={t.value.resizeStatement} />
        <section class="pane editing" aria-label={t.value.editorPane}><EditorPane /></section>
        <Splitter side={1} label={t.value.resizeResult} />
        <section class="pane result" tabIndex={-1} aria-label={t.value.resultPane}><ResultPane /></section>
      </main>
      <Tabs />
      <Help />
      <ShareDialog />
      <OwnDialog wanted={ownOpen.value} />
      <LinkDialog />
      <DeviceDialog wanted={deviceOpen.value} />
    </>
  );
}
