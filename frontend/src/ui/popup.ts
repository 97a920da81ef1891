/** closeOutside closes a <details> that is a pop-up when something else is pressed, or Escape; the result ends that. */
export function closeOutside(popup: HTMLDetailsElement | null): () => void {
  if (!popup) return () => undefined;
  const close = (event: Event) => {
    if (event.target instanceof Node && popup.contains(event.target)) return;
    popup.open = false;
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !popup.open) return;
    popup.open = false;
    popup.querySelector("summary")?.focus();
  };
  addEventListener("pointerdown", close);
  popup.addEventListener("keydown", escape);
  return () => {
    removeEventListener("pointerdown", close);
    popup.removeEventListener("keydown", escape);
  };
}
