import type { Extension } from "@codemirror/state";
import { drawSelection, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** blinkMs is how long the caret is shown, and how long it is not. */
const blinkMs = 600;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Blinking hides and shows carets by a timer. CodeMirror's own blink by an animation, for which a browser draws every frame: a
 * twentieth of a slow core for as long as the editor has the focus.
 */
class Blinking {
  private timer = 0;
  private shown = true;

  constructor(private readonly view: EditorView) {}

  update(update: ViewUpdate): void {
    if (!update.docChanged && !update.selectionSet && !update.focusChanged) return;
    clearInterval(this.timer);
    this.show(true);
    if (update.view.hasFocus && !still.matches) this.timer = window.setInterval(() => this.show(!this.shown), blinkMs);
  }

  destroy(): void {
    clearInterval(this.timer);
  }

  private show(shown: boolean): void {
    this.shown = shown;
    const layer = this.view.scrollDOM.querySelector<HTMLElement>(".cm-cursorLayer");
    if (layer) layer.style.visibility = shown ? "" : "hidden";
  }
}

/** caret draws selections and carets, which blink. */
export const caret: Extension = [drawSelection({ cursorBlinkRate: 0 }), ViewPlugin.fromClass(Blinking)];
