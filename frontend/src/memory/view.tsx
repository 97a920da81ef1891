import { partFailed } from "../i18n/table";
import { Loading } from "../result/loading";
import { Problems } from "../result/problems";
import { ProgressBar } from "../result/progress-bar";
import { NextStep } from "../statement/intro";
import { route } from "../document/workspace";
import { lazy } from "../ui/lazy";

const Pane = lazy(() => import("./pane"), partFailed);

/** MemoryView is the tab panel of the memory view; the view itself is fetched when it is first looked at. */
export function MemoryView() {
  return (
    <div class="scroll memory" id="view-memory" role="tabpanel" aria-labelledby="tab-memory" tabIndex={-1}>
      <Loading />
      <ProgressBar />
      <Problems />
      <Pane wanted />
      {route.value.page === "free" && <p class="phone-only"><NextStep /></p>}
    </div>
  );
}
