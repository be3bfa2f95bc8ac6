/** Cuts texts into batches with limits for texts and characters. One text beyond the limit is a batch of its own. */
export const batchesOf = (texts: readonly string[], mostTexts: number, mostCharacters: number): string[][] => {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= mostTexts || characters + text.length > mostCharacters) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
};
