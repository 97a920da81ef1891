import type { LinkResults } from "../gen/api";
import { t } from "../i18n/table";
import { sentence } from "../lib/format";
import { Phrase } from "../ui/phrase-view";
import { lang } from "../settings/settings";

/** ClaimView shows the results that a link's author reports; none of them has been checked here. */
export function ClaimView({ results }: { results: LinkResults }) {
  const words = t.value;
  const { pass, message, made, tensors, prints } = results;
  const when = made > 0 && made < 1e11 ? new Date(made * 1000).toLocaleString(lang.value, { dateStyle: "medium", timeStyle: "short" }) : "";
  return (
    <section class="claim" aria-label={words.claimTitle}>
      <h3>{words.claimTitle}{when && <small> · {when}</small>}</h3>
      <p class={`claim-says claim-${pass ? "pass" : "fail"}`}>{message ? <Phrase text={sentence(message)} /> : words.claimNoMessage}</p>
      {tensors.map((tensor, i) => (
        <details key={i}>
          <summary><code>{tensor.name}</code> {tensor.shape} {tensor.dtype}</summary>
          <pre tabIndex={0}>{tensor.text}</pre>
        </details>
      ))}
      {prints.length > 0 && <details><summary>{words.prints}</summary><pre tabIndex={0}>{prints.join("\n")}</pre></details>}
      <p class="fine">{words.claimFine}</p>
    </section>
  );
}
