import { Loading } from "../result/loading";
import { Problems } from "../result/problems";
import { ProgressBar } from "../result/progress-bar";
import { NextStep } from "../statement/next-step";
import { route } from "../document/workspace";
import { findings } from "./findings";
import MemoryPane from "./pane";

/** MemoryView is the tab panel of the memory view, which every page shows first. */
export function MemoryView() {
  return (
    <div class="scroll memory" id="view-memory" role="tabpanel" aria-labelledby="tab-memory" tabIndex={-1}>
      <Loading />
      <ProgressBar />
      <Problems but={findings.value.map((of) => of.diagnostic)} />
      <MemoryPane />
      {route.value.page === "free" && <p class="phone-only"><NextStep /></p>}
    </div>
  );
}
