import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import { isFirstSteps } from "../content/path";
import { route } from "../document/workspace";
import { partFailed } from "../i18n/table";
import { MemoryView } from "../memory/view";
import { type Lang, lang, settings } from "../settings/settings";
import { view, type ViewID } from "../state/view";
import { lazy } from "../ui/lazy";

/** View is one of those that the result's pane shows, under a tab each. */
interface View {
  id: ViewID;
  title: Readonly<Record<Lang, string>>;
  content: ComponentType<{ wanted: boolean }>; // a tab panel; lazy fetches one when it is first looked at
}

/** Code shows the PTX, the layouts and the lens; it stays mounted from one to the other. */
const Code = lazy(() => import("../code/pane"), partFailed);

/** views are all views, in the order of their tabs. */
export const views: readonly [View, ...View[]] = [
  { id: "memory", title: { en: "Memory", zh: "内存" }, content: MemoryView },
  { id: "result", title: { en: "Result", zh: "结果" }, content: lazy(() => import("../result/result-view"), partFailed) },
  { id: "ptx", title: { en: "PTX", zh: "PTX" }, content: Code },
  { id: "layouts", title: { en: "Layouts", zh: "布局" }, content: Code },
  { id: "lens", title: { en: "Lens", zh: "透视" }, content: Code },
  { id: "reference", title: { en: "Reference", zh: "语言参考" }, content: lazy(() => import("../reference/reference"), partFailed) },
];

/** fewViews is whether only some views have tabs: on the first puzzles, until a person asks for all. */
export const fewViews = computed(() => !settings.value.allViews && route.value.page === "puzzle" && isFirstSteps(route.value.puzzle));

/** tabs are the views with a tab: that which is shown always has one. */
export const tabs = computed(() => (fewViews.value ? views.filter(({ id }) => id === "memory" || id === "result" || id === view.value) : views));

/** titleOf is a view's title in the current language. */
export function titleOf(id: ViewID): string {
  return find(id).title[lang.value];
}

/** CurrentView is the view that is chosen. */
export function CurrentView() {
  const { content: Content } = find(view.value);
  return <Content wanted />;
}

function find(id: ViewID): View {
  return views.find((v) => v.id === id) ?? views[0];
}
