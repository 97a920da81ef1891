import { EditorPane } from "../editor/editor-pane";
import { partFailed, t } from "../i18n/table";
import { StatementPane } from "../statement/statement";
import { choose, defaults, settings } from "../settings/settings";
import { UpdateNotice } from "../offline/notice";
import { Announcement } from "../result/announcement";
import { incoming } from "../share/incoming";
import { shareOpen } from "../share/outgoing";
import { route } from "../document/workspace";
import { deviceOpen } from "../device/devices";
import { helpOpen, paletteOpen } from "./actions";
import { Header } from "./header";
import { lazy } from "../ui/lazy";
import { SkipLinks } from "./skip-links";
import { Splitter } from "../ui/splitter";
import { Tabs } from "./tabs";
import { ViewTabs } from "./view-tabs";
import { CurrentView } from "./views";
import { pane } from "../state/view";
import { tourOpen } from "../tour/open";
import { ownOpen } from "../own/open";

const Help = lazy(() => import("./help"), partFailed);
const Palette = lazy(() => import("./palette"), partFailed);
const Tour = lazy(() => import("../tour/tour"), partFailed);
const OwnDialog = lazy(() => import("../own/dialog"), partFailed);
const DocumentPanel = lazy(() => import("../cells/panel"), partFailed);
const ShareDialog = lazy(() => import("../share/share-dialog"), partFailed);
const LinkDialog = lazy(() => import("../share/link-dialog"), partFailed);
const DeviceDialog = lazy(() => import("../device/dialog"), partFailed);

/** App is the whole page: header, the three panes with two dividers, and a phone's tabs. */
export function App() {
  return (
    <>
      <SkipLinks />
      <Header />
      <UpdateNotice />
      <main class="panes" data-pane={pane.value}>
        <section class="pane statement" tabIndex={-1} aria-label={t.value.statementPane}>{route.value.page === "document" ? <DocumentPanel wanted /> : <StatementPane />}</section>
        <Divider side={0} label={t.value.resizeStatement} />
        <section class="pane editing" aria-label={t.value.editorPane}><EditorPane /></section>
        <Divider side={1} label={t.value.resizeResult} />
        <section class="pane result" tabIndex={-1} aria-label={t.value.resultPane}>
          <Announcement /><ViewTabs /><CurrentView />
        </section>
      </main>
      <Tabs />
      <Help wanted={helpOpen.value} />
      <Palette wanted={paletteOpen.value} />
      <Tour wanted={tourOpen.value} />
      <ShareDialog wanted={shareOpen.value} />
      <OwnDialog wanted={ownOpen.value} />
      <LinkDialog wanted={incoming.value !== undefined} />
      <DeviceDialog wanted={deviceOpen.value} />
    </>
  );
}

/** Divider sets, and keeps, the width of the statement (0) or of the result (1). */
function Divider({ side, label }: { side: 0 | 1; label: string }) {
  const keep = (width: number) => {
    const split: [number, number] = [...settings.peek().split];
    split[side] = width;
    choose({ split });
  };
  return <Splitter side={side} label={label} width={settings.value.split[side]} initial={defaults.split[side]} onWidth={keep} />;
}
