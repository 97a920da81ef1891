import { searcher } from "../engine/engines";
import { lang } from "../settings/settings";
import { late } from "./late";

/** mistake asks for the mistake in an answer that fails. Its first fix makes the answer pass. */
export const mistake = late(async (answer, signal) => {
  searcher.wake();
  const options = { signal, interrupt: { lang: lang.peek(), stop: {} } };
  return (await searcher.call({ lang: lang.peek(), mistake: answer }, options)).mistake?.found;
});
