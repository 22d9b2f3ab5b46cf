/** How codes are written down: a line for number, name and meaning, and below it the advice. */
import { blank, fact, type Hint, hint, type PastedLine, paste } from '../../hint.ts'

/** Code → name, what it means, what to do next. */
export type CodeRows = Readonly<Record<number, readonly [name: string, means: string, next: Hint | string]>>

/** In the advice stands [a command to paste], in that {a field of the request} that is filled in, or <n> for the reader. */
export function readCodes(table: string): CodeRows {
  const lines = table.trim().split('\n')
  const rows = lines.flatMap((line, at) => {
    const [, code, name = '', means = ''] = /^(\d+) ([^:]+): (.+)$/.exec(line) ?? []
    return code === undefined ? [] : [[code, [name, means, readAdvice(lines[at + 1]?.trim() ?? '')]] as const]
  })
  return Object.fromEntries(rows)
}

function readAdvice(text: string): Hint {
  // Texts and commands take turns.
  const parts = text.split(/\[([^[\]]*)\]/)
  const read = (part: string, at: number) => (at % 2 === 0 ? hint`${part}` : hint`\`${readCommand(part)}\``)
  return parts.map(read).reduce((advice, part) => hint`${advice}${part}`)
}

function readCommand(line: string): PastedLine {
  const [command = ''] = /^[a-z]+( [a-z]+)*/.exec(line) ?? []
  const words = line.slice(command.length).split(' ').slice(1)
  const args = words.map((word) => {
    if (word.startsWith('{')) return fact(word.slice(1, -1))
    return word.startsWith('<') ? blank(word) : word
  })
  return paste(command, ...args)
}
