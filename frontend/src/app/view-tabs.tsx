import { t } from "../i18n/table";
import { result, stale } from "../run/runs";
import { Icon } from "../ui/icons";
import { choose } from "../settings/settings";
import { view } from "../state/view";
import { fewViews, tabs, titleOf } from "./views";

/** ViewTabs chooses between the views of the result's pane. */
export function ViewTabs() {
  return (
    <div class="views">
      <TabList />
      {fewViews.value && <button type="button" id="all-views" onClick={showAll}>{t.value.allViews}</button>}
    </div>
  );
}

/** showAll gives every view a tab, and the focus to that of the shown one, for the button goes. */
function showAll(): void {
  choose({ allViews: true });
  document.getElementById(`tab-${view.peek()}`)?.focus();
}

function TabList() {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const list = tabs.peek();
    const next = list[(list.findIndex((v) => v.id === view.peek()) + step + list.length) % list.length];
    if (!next) return;
    view.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={t.value.codeTabs} onKeyDown={move}>
      {tabs.value.map(({ id }) => (
        <button
          type="button" role="tab" key={id} id={`tab-${id}`} aria-selected={view.value === id} aria-controls={view.value === id ? `view-${id}` : undefined}
          tabIndex={view.value === id ? 0 : -1} onClick={() => (view.value = id)}
        >
          {titleOf(id)}{id === "result" && <Badge />}
        </button>
      ))}
    </div>
  );
}

/** Badge is the verdict on the current text, on the tab that tells more of it. */
function Badge() {
  const verdict = stale.value ? undefined : result.value?.verdict;
  if (!verdict) return null;
  const { pass } = verdict;
  return (
    <span class={`badge badge-${pass ? "pass" : "fail"}`}>
      <Icon name={pass ? "check" : "cross"} /><span class="unseen">{pass ? t.value.badgePass : t.value.badgeFail}</span>
    </span>
  );
}
