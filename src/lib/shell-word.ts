/** Text as one word of a POSIX shell, for lines that are printed to be pasted. */

/** The word in single quotes, in which a shell changes nothing. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The text as it is where every shell takes it for one plain word; else in single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+:,./@-][\w%+:,./@=-]*$/.test(text) ? text : singleQuoted(text)
}
