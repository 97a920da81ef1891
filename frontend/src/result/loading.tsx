import { download, interpreter } from "../engine/engines";
import { t } from "../i18n/table";

/** Loading shows the progress of the compiler's download until the page can run kernels. */
export function Loading() {
  const words = t.value;
  if (interpreter.state.value !== "loading") return null;
  const { done, total } = download.value ?? { done: 0, total: 0 };
  const label = total > 0 && done < total ? words.engineDownload(megabytes(done), megabytes(total)) : words.engineLoading;
  return (
    <div class="progress" id="loading" role="status">
      <span>{label}</span>
      <progress aria-label={words.engineLoading} max={1} {...(total > 0 ? { value: done / total } : {})} />
    </div>
  );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
