/**
 * Help of a command, a topic or the program: as data, made when the program is built, and drawn for the width of a
 * terminal.
 */

/** A line in rows; a word that no row holds is broken behind a bar or a stroke. */
function brokenLine(line: string, columns: number): string {
  const rows: string[] = []
  let row = ''
  for (const word of line.split(' ')) {
    const parts = word.length <= columns ? [word] : word.split(/(?<=[|/,=&?_])/)
    for (const [nth, part] of parts.entries()) {
      const joined = row === '' || nth > 0 ? row + part : `${row} ${part}`
      if (row === '' || joined.length <= columns) row = joined
      else {
        rows.push(row)
        row = part
      }
    }
  }
  return [...rows, row].map((each) => each.trimEnd()).join('\n')
}

function wrapped(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => brokenLine(line, columns))
    .join('\n')
}

/** The text further in; lines without a word stay empty. */
function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?!\s*$)/gm, ' '.repeat(columns))
}

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
export const globalFlagsSaid = 'Flags and variables of every command.'

/** The place of what only the running program knows of itself: version, platform and Node. */
export const agentMark = '<%= config.userAgent %>'

/** Words as a shell parts them: quotes and `$( )` hold blanks. */
const shellWords = /(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^)]{0,200}\)|\$(?!\()|\\.|[^\s"'\\$])+/g

/**
 * The line in rows of at most so many columns, but for a word that is longer; `goesOn` is the character that continues a
 * command on the next line.
 */
export function shellLine(line: string, columns: number, goesOn: string): string {
  if (line.length <= columns) return line
  const room = columns - goesOn.length - 1
  const rows: string[] = []
  for (const word of line.match(shellWords) ?? []) {
    const row = rows.at(-1)
    if (row !== undefined && row.length + 1 + word.length <= room) rows.push(`${rows.pop()} ${word}`)
    else rows.push(rows.length === 0 ? word : `  ${word}`)
  }
  return rows.join(` ${goesOn}\n`)
}

/** A page of help as a terminal of some width shows it. */
interface HelpCanvas {
  readonly width: number
  readonly coloured: boolean
  /** Version, platform and Node in one line. */
  readonly agent: string
  /** The character that continues a command on the next line of a shell. */
  readonly goesOn: string
}

const indentation = 2

/**
 * The most further lines of a description beside its name; a longer one puts the descriptions of all names on lines of their
 * own.
 */
const mostLines = 4

/** Names above what is said of them. */
function stacked(rows: readonly HelpRow[], width: number): string {
  const entries = rows.map(([name, said]) => {
    const above = wrapped(name.trim(), width - indentation)
    return said === null ? above : `${above}\n${indented(wrapped(said.trim(), width - 2 * indentation), indentation)}`
  })
  return entries.join('\n\n').trim()
}

function beside(rows: readonly HelpRow[], width: number): string {
  const longest = Math.max(...rows.map(([name]) => name.length))
  const lines: string[] = []
  for (const [name, said] of rows) {
    const room = width - indentation - longest - 2
    const [first = '', ...more] = said === null ? [] : wrapped(said.trim(), room).split('\n')
    if (more.length > mostLines) return stacked(rows, width)
    const gap = ' '.repeat(longest - name.length + 2)
    lines.push(said === null ? name.trimEnd() : `${name}${gap}${first.trim()}`)
    lines.push(...more.map((line) => indented(line.trim(), longest + 2)))
  }
  return lines.join('\n').trimEnd()
}

/** Lines below each other; what is said of one, or a line that takes several, stands apart from the next. */
function exampleText(examples: readonly HelpExample[], { width, goesOn }: HelpCanvas): string {
  const room = width - 2 * indentation
  const each = examples.map(({ said, line }) => {
    const typed = shellLine(line, said === null ? width - indentation : room, goesOn)
    return said === null ? typed : `${wrapped(said, width - indentation)}\n${indented(typed, indentation)}`
  })
  return each.join(each.some((text) => text.includes('\n')) ? '\n\n' : '\n')
}

function body(paragraph: HelpParagraph, canvas: HelpCanvas): string {
  const room = canvas.width - indentation
  if ('examples' in paragraph) return exampleText(paragraph.examples, canvas)
  if ('rows' in paragraph) return beside(paragraph.rows, canvas.width)
  if ('lines' in paragraph) return paragraph.lines.map((each) => wrapped(each, room)).join('\n')
  return wrapped(paragraph.text, 'header' in paragraph ? room : canvas.width)
}

export function drawHelp(page: HelpPage, canvas: HelpCanvas): string {
  const { coloured, agent } = canvas
  const bold = (header: string) => (coloured ? `\u001B[1m${header}\u001B[22m` : header)
  const paragraphs = page.map((each) => {
    const filled = 'text' in each ? { ...each, text: each.text.replace(agentMark, agent) } : each
    const text = body(filled, canvas)
    return 'header' in each ? `${bold(each.header)}\n${indented(text, indentation)}` : text
  })
  return `${paragraphs.join('\n\n')}\n\n`
}
