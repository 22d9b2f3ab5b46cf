/**
 * Letters taken off the ends of a text, in one pass. An expression like `=+$` looks at every run of the letter once from each
 * of its places: a foreign text with a long run in its middle would stop the program.
 */

/** The text without the letters that it ends with, as far as they are among these. */
export function withoutEnd(text: string, letters: string): string {
  let end = text.length
  while (end > 0 && letters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The text without the letters that it begins and ends with, as far as they are among these. */
export function withoutEnds(text: string, letters: string): string {
  let start = 0
  while (start < text.length && letters.includes(text.charAt(start))) start += 1
  return withoutEnd(text.slice(start), letters)
}
