/** Help of a command, a topic or the program, as data: made when the program is built, drawn for the width of a terminal. */

/** A flag, an argument or a command, and what is said of it. */
export type HelpRow = readonly [name: string, said: string | null]

/** Paragraphs have an empty line between them. Text without a header stands at the left edge. */
export type HelpParagraph =
  | { readonly text: string }
  | { readonly header: string; readonly text: string }
  | { readonly header: string; readonly lines: readonly string[] }
  | { readonly header: string; readonly rows: readonly HelpRow[] }
  | { readonly header: string; readonly examples: readonly HelpExample[] }

/** A line to be typed, and what it does where the line alone does not say it. */
export interface HelpExample {
  readonly said: string | null
  readonly line: string
}

export type HelpPage = readonly HelpParagraph[]

/** The page of the flags that every command has. */
export const globalFlagsPage = 'flags'
export const globalFlagsSaid = 'Flags and variables that every command obeys.'

/** The place of what only the running program knows of itself: version, platform and Node. */
export const agentMark = '<%= config.userAgent %>'
