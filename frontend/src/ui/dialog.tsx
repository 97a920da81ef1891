import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface ModalProps {
  open: boolean;
  labelledBy: string; // the id of what names it
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Modal is a window over the page, whose content is there while it is open; Escape closes it. */
export function Modal({ open, labelledBy, class: className = "", onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    else if (!open) dialog.current?.close();
  }, [open]);

  // A file chooser inside that is closed without a file is cancelled, too, and that bubbles.
  const cancelled = (event: Event) => {
    if (event.target === event.currentTarget) onClose();
  };
  // Escape is heard by its cancel event, before the dialog closes. The close event comes some time after: by then the
  // dialog may be wanted again.
  const closed = () => {
    if (open && !dialog.current?.open) onClose();
  };

  return (
    <dialog ref={dialog} class={`dialog ${className}`} aria-labelledby={labelledBy} onCancel={cancelled} onClose={closed}>
      {open && children}
    </dialog>
  );
}

interface DialogProps extends Omit<ModalProps, "labelledBy"> {
  title: string;
  close: string; // the name of the button that closes it
}

/** Dialog is a Modal with a title and a button that closes it. */
export function Dialog({ title, close, children, ...modal }: DialogProps) {
  const id = useId();
  return (
    <Modal {...modal} labelledBy={id}>
      <div class="dialog-head">
        <h2 id={id} tabIndex={-1} autofocus>{title}</h2>
        <button type="button" class="tool" aria-label={close} onClick={modal.onClose}><Icon name="close" /></button>
      </div>
      {children}
    </Modal>
  );
}
