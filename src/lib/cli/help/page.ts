/** Help of a command, a topic or the program, as data: made when the program is built, drawn for the width of a terminal. */

/** A flag, an argument or a command, and what is said of it. */
export type HelpRow = readonly [name: string, said: string | null]

/** Paragraphs have an empty line between them. Text without a header stands as it is. */
export type HelpParagraph =
  | { readonly text: string }
  | { readonly header: string; readonly text: string; readonly wraps: boolean }
  | { readonly header: string; readonly usages: readonly HelpUsage[] }
  | { readonly header: string; readonly rows: readonly HelpRow[] }
  | { readonly header: string; readonly examples: readonly HelpExample[] }

/** A line as it is typed, or what one does and then the line, broken where it is too long. */
export type HelpExample = string | { readonly said: string; readonly line: string }

/** `$ paydesk payout get UNIQUEID`. */
export interface HelpUsage {
  readonly bin: string
  readonly command: string
  readonly args: string
}

export type HelpPage = readonly HelpParagraph[]

/** The place of what only the running program knows of itself: version, platform and Node. */
export const agentMark = '<%= config.userAgent %>'
