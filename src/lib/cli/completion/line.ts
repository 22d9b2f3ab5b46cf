/** A line as it was typed so far, for shells that do not hand over its words. */

/** A word with its quotes and escapes; one that is not closed yet ends with the line. */
const word = /(?:[^\s"'\\]|\\.?|"(?:[^"\\]|\\.?)*"?|'[^']*'?)+/g

function plain(typed: string): string {
  return typed.replace(/\\(.?)|["']/g, '$1')
}

/** The words behind the program's name; the last one is being typed, and empty where the line ends with a blank. */
export function wordsOfLine(line: string): readonly string[] {
  const words = (line.match(word) ?? []).map(plain)
  return /(?:^|\s)$/.test(line) ? [...words.slice(1), ''] : words.slice(1)
}

/** bash takes a word apart at these, and replaces only what comes behind the last of them. */
export function behindBreak(typed: string, candidate: string): string {
  const at = Math.max(typed.lastIndexOf(':'), typed.lastIndexOf('='))
  return candidate.startsWith(typed.slice(0, at + 1)) ? candidate.slice(at + 1) : candidate
}
