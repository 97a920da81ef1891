import { EditorPane } from "../editor/editor-pane";
import { partFailed, t } from "../i18n/table";
import { FreePane } from "../intro/intro";
import { StatementPane } from "../statement/statement";
import { UpdateNotice } from "../offline/notice";
import { Announcement } from "../result/announcement";
import { incoming } from "../share/incoming";
import { shareOpen } from "../share/outgoing";
import { pointed } from "../run/pointed";
import { route } from "../document/workspace";
import { deviceOpen } from "../device/devices";
import { helpOpen, paletteOpen } from "./actions";
import { Divider } from "./dividers";
import { Header } from "./header";
import { lazy } from "../ui/lazy";
import { SkipLinks } from "./skip-links";
import { Tabs } from "./tabs";
import { ViewTabs } from "./view-tabs";
import { CurrentView } from "./views";
import { folded, pane } from "../state/view";
import { shownMap } from "../map/open";
import { shownConcept } from "../basics/open";
import { tourOpen } from "../tour/open";
import { ownOpen } from "../own/open";
import { versionsOpen } from "../versions/open";

const Help = lazy(() => import("./help"), partFailed);
const Palette = lazy(() => import("./palette"), partFailed);
const Tour = lazy(() => import("../tour/tour"), partFailed);
const Basics = lazy(() => import("../basics/basics"), partFailed);
const ProgressMap = lazy(() => import("../map/map"), partFailed);
const OwnDialog = lazy(() => import("../own/dialog"), partFailed);
const VersionsDialog = lazy(() => import("../versions/dialog"), partFailed);
const PointedView = lazy(() => import("../result/pointed"), partFailed);
const DocumentPanel = lazy(() => import("../cells/panel"), partFailed);
const ShareDialog = lazy(() => import("../share/share-dialog"), partFailed);
const LinkDialog = lazy(() => import("../share/link-dialog"), partFailed);
const DeviceDialog = lazy(() => import("../device/dialog"), partFailed);

/** Task is the first pane: the document's panel, what newt is with the free page's form, or a puzzle's statement. */
function Task() {
  const { page } = route.value;
  if (page === "document") return <DocumentPanel wanted />;
  return page === "free" ? <FreePane /> : <StatementPane />;
}

/** App is the whole page: header, the three panes with dividers, and a phone's tabs. */
export function App() {
  return (
    <>
      <SkipLinks />
      <Header />
      <UpdateNotice />
      <main class="panes" data-pane={pane.value} data-folded={folded.value.join(" ")}>
        <section class="pane statement" id="pane-statement" tabIndex={-1} aria-label={t.value.statementPane}>
          <Task />
        </section>
        <Divider id="left" /><Divider id="column" />
        <section class="pane editing" aria-label={t.value.editorPane}><EditorPane /></section>
        <Divider id="right" /><Divider id="row" /><Divider id="sheet" />
        <section class="pane result" id="pane-result" tabIndex={-1} aria-label={t.value.resultPane}>
          <Announcement /><ViewTabs /><PointedView wanted={pointed.value !== undefined} /><CurrentView />
        </section>
      </main>
      <Tour wanted={tourOpen.value} />
      <Tabs />
      <Help wanted={helpOpen.value} />
      <Palette wanted={paletteOpen.value} />
      <ShareDialog wanted={shareOpen.value} />
      <Basics wanted={shownConcept.value !== undefined} />
      <ProgressMap wanted={shownMap.value !== undefined} />
      <OwnDialog wanted={ownOpen.value} />
      <VersionsDialog wanted={versionsOpen.value} />
      <LinkDialog wanted={incoming.value !== undefined} />
      <DeviceDialog wanted={deviceOpen.value} />
    </>
  );
}
