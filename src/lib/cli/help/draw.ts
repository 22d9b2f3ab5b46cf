/** A page of help as a terminal of some width shows it: to the byte what oclif draws of the same command. */
import { agentMark, type HelpExample, type HelpPage, type HelpParagraph, type HelpRow, type HelpUsage } from './page.ts'
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
    return said === null ? above : `${above}\n${indented(wrapped(said.trim(), width - indentation - 2), 4)}`
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
    lines.push(said === null ? name.trim() : `${name}${gap}${first.trim()}`)
    lines.push(...more.map((line) => indented(line.trim(), longest + 2)))
  }
  return lines.join('\n').trim()
}

/** oclif measures the line while this stands in the place of the command. */
const commandMark = '<%= command.id %>'

function usage({ bin, command, args }: HelpUsage, width: number): string {
  const line = `$ ${bin} ${commandMark} ${args}`.trim()
  const full = (text: string) => text.replace(commandMark, command)
  const room = width - indentation
  if (line.length <= room) return wrapped(full(line), room)
  const end = line.slice(0, Math.max(0, room)).lastIndexOf(' ')
  return `${full(line.slice(0, end))}\n${indented(wrapped(full(line.slice(end)), room - 2), 2)}`
}

function exampleText(example: HelpExample, { width, goesOn }: HelpCanvas): string {
  if (typeof example === 'string') return example
  const line = indented(wrapped(example.line, width - 2 * indentation - 4), indentation)
  return `${wrapped(example.said, width - 2 * indentation)}\n\n${line.split('\n').join(` ${goesOn}\n  `)}`
}

function body(paragraph: HelpParagraph, canvas: HelpCanvas): string {
  const { width } = canvas
  if ('examples' in paragraph) return paragraph.examples.map((each) => exampleText(each, canvas)).join('\n\n')
  if ('rows' in paragraph) return beside(paragraph.rows, width)
  if ('usages' in paragraph) return paragraph.usages.map((each) => usage(each, width)).join('\n')
  return 'wraps' in paragraph && paragraph.wraps ? wrapped(paragraph.text, width - indentation) : paragraph.text
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
