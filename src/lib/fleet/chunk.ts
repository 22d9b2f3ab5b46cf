/** The rows of a plan in chunks, by their numbers: what one worker takes at a time. */

/** Few enough that a worker that ends early leaves little behind, and many enough that taking them costs nothing. */
export const rowsPerChunk = 50

/** The first and the last number that may stand in it. */
export function numbersOf(chunk: number): { readonly from: number; readonly to: number } {
  return { from: chunk * rowsPerChunk, to: (chunk + 1) * rowsPerChunk - 1 }
}
