import assets from "newt:assets";

/** Mistake is the example of a diagnostic's code; frontend/build/mistakes.go writes it. */
export interface Mistake {
  refused: string; // a program that yields the code
  fixed: string; // the same put right
}

let mistakes: Promise<Record<string, Mistake>> | undefined;

/** mistakeOf gives the example of a code; undefined where there is none, or they cannot be fetched, which the next call tries again. */
export async function mistakeOf(code: string): Promise<Mistake | undefined> {
  mistakes ??= fetchMistakes();
  try {
    return (await mistakes)[code];
  } catch {
    mistakes = undefined;
    return undefined;
  }
}

async function fetchMistakes(): Promise<Record<string, Mistake>> {
  const response = await fetch(assets.mistakes);
  if (!response.ok) throw new Error(response.statusText);
  return (await response.json()) as Record<string, Mistake>;
}
