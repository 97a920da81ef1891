import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n/table";
import { copied, copy } from "./outgoing";

interface LinkFieldProps {
  label: string;
  url: string; // empty until it is made
  note?: string;
  copyAtOnce?: boolean;
}

/** LinkField shows a link for copying: by the button, or by hand from the selected field. */
export function LinkField({ label, url, note, copyAtOnce = false }: LinkFieldProps) {
  const words = t.value;
  const field = useRef<HTMLInputElement>(null);
  const [byHand, setByHand] = useState(false);

  const put = async () => {
    const done = await copy(url);
    if (!done) field.current?.select();
    setByHand(!done);
  };

  useEffect(() => {
    if (copyAtOnce && url) void put();
  }, [url]);

  return (
    <>
      <div class="link-field">
        <input ref={field} type="text" readOnly aria-label={label} value={url} onFocus={(e) => e.currentTarget.select()} />
        <button type="button" class="quiet" disabled={!url} onClick={() => void put()}>{words.copy}</button>
      </div>
      <p class="link-note" role="status">
        {byHand ? words.copyByHand : url && copied.value === url ? words.copied : ""}
        {note && <span>{note}</span>}
      </p>
    </>
  );
}
