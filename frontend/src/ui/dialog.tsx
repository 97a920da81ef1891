import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface DialogProps {
  open: boolean;
  title: string;
  close: string; // the name of the button that closes it
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Dialog is a window over the page with a title and a way to close it; Escape closes it too. */
export function Dialog({ open, title, close, class: className = "", onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    else if (!open) dialog.current?.close();
  }, [open]);

  // Escape is heard by its cancel event, before the dialog closes. The close event comes some time after: by then the
  // dialog may be wanted again.
  const closed = () => {
    if (open && !dialog.current?.open) onClose();
  };

  return (
    <dialog ref={dialog} class={`dialog ${className}`} aria-labelledby={id} onCancel={onClose} onClose={closed}>
      {open && (
        <>
          <div class="dialog-head">
            <h2 id={id} tabIndex={-1} autofocus>{title}</h2>
            <button type="button" class="tool" aria-label={close} onClick={onClose}><Icon name="close" /></button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
