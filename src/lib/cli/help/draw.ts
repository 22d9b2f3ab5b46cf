/** A page of help as a terminal of some width shows it. */
import { agentMark, type HelpExample, type HelpPage, type HelpParagraph, type HelpRow } from './page.ts'
import { shellLine } from './shell-line.ts'
import { indented, underlined, widthOf, wrapped } from './wrap.ts'

export interface HelpCanvas {
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
  const longest = Math.max(...rows.map(([name]) => widthOf(name)))
  const lines: string[] = []
  for (const [name, said] of rows) {
    const room = width - indentation - longest - 2
    const [first = '', ...more] = said === null ? [] : wrapped(said.trim(), room).split('\n')
    if (more.length > mostLines) return stacked(rows, width)
    const gap = ' '.repeat(longest - widthOf(name) + 2)
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

function inked(text: string, coloured: boolean): string {
  return text
    .replaceAll(underlined.from, coloured ? '\u001B[4m' : '')
    .replaceAll(underlined.to, coloured ? '\u001B[24m' : '')
}

export function drawnHelp(page: HelpPage, canvas: HelpCanvas): string {
  const { coloured, agent } = canvas
  const bold = (header: string) => (coloured ? `\u001B[1m${header}\u001B[22m` : header)
  const paragraphs = page.map((each) => {
    const filled = 'text' in each ? { ...each, text: each.text.replace(agentMark, agent) } : each
    const text = body(filled, canvas)
    return 'header' in each ? `${bold(each.header)}\n${indented(text, indentation)}` : text
  })
  return inked(`${paragraphs.join('\n\n')}\n\n`, coloured)
}
