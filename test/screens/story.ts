/** A story at a terminal: lines that a person types, and what they answer; played, and written down as they saw it. */
import { shownColours, steady } from './steady.ts'
import { homeLength, type Look, Terminal } from './terminal.ts'

export interface Step {
  /** For the reader of the screens. */
  readonly said: string
  readonly line: string
  /** Questions, as they stand on the screen, and the keys for each: text, or the name of a key as tmux knows it. */
  readonly answers?: readonly (readonly [asked: RegExp, ...keys: readonly (string | { readonly key: string })[]])[]
}

export interface Story {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

export const enter = { key: 'Enter' } as const

async function played(
  terminal: Terminal,
  { line, answers = [] }: Step,
): Promise<readonly (readonly [number, number])[]> {
  const from = terminal.lines().length - 1
  terminal.type(line)
  terminal.press('Enter')
  for (const [asked, ...keys] of answers) {
    await terminal.until((lines) => asked.test(lines.slice(from).join(' ').replaceAll(/\s+/g, ' ')), String(asked))
    for (const key of keys) {
      if (typeof key === 'string') terminal.type(key)
      else terminal.press(key.key)
    }
  }
  await terminal.untilPrompt(from + 1)
  return [[from, terminal.lines().length - 1]]
}

/** The screens of a story: each line with all that it brought. */
export async function screensOf({ steps, files = {} }: Story, look: Look): Promise<string> {
  const terminal = new Terminal(look)
  try {
    if (terminal.home.length > homeLength) throw new Error(`${terminal.home} is too long a path for the drawn screens`)
    for (const [name, text] of Object.entries(files)) terminal.put(name, text)
    await terminal.untilPrompt(0)
    const parts: string[] = []
    for (const step of steps) {
      const spans = await played(terminal, step)
      const lines = terminal.lines(true)
      const text = spans.map(([from, to]) => lines.slice(from, to).join('\n')).join('\n')
      parts.push(`== ${step.said}\n${text}`)
    }
    return `${shownColours(steady(parts.join('\n\n'), look.width))}\n`
  } finally {
    terminal.close()
  }
}
