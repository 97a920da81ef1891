/** latestMs is when what was to wait for a frame begins where there is none: a page in the background has none. */
const latestMs = 200;

/** afterFrame calls back once the browser has drawn what is there now. */
export function afterFrame(then: () => void): void {
  let waits = true;
  const go = () => {
    if (waits) then();
    waits = false;
  };
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, latestMs);
}
