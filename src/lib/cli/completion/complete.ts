/** Answers a shell that asks how the word at the cursor may go on: a line for each, or `:file` where it is a file. */
import type { Places } from '../../home.ts'
import { type Candidate, continuationOf } from './asked.ts'
import { behindBreak, wordsOfLine } from './line.ts'
import { liveValues } from './live.ts'
import type { CompletionTree } from './tree.ts'

/** Shells that hand over the line as one text. */
const byLine: ReadonlySet<string> = new Set(['bash', 'powershell'])

interface Found {
  readonly typed: string
  readonly candidates: readonly Candidate[] | 'files'
}

function found(words: readonly string[], tree: CompletionTree, places: () => Places): Found {
  const typed = words.at(-1) ?? ''
  const wanted = continuationOf(words, tree)
  if (wanted.kind === 'words') return { typed, candidates: wanted.words }
  const { values, before } = wanted
  if (values === null) return { typed, candidates: [] }
  if (values === 'file') return { typed, candidates: 'files' }
  const all =
    typeof values === 'string'
      ? liveValues(values, wanted.typed, places, tree.profiles)
      : values.filter((word) => word.startsWith(wanted.typed)).map((word) => ({ word, said: '' }))
  return { typed, candidates: all.map(({ word, said }) => ({ word: `${before}${word}`, said })) }
}

/** `argv`: the shell, `--`, and the words behind the program's name, or the whole line. Text for the shell, with its end of line. */
export function completed(argv: readonly string[], tree: CompletionTree, places: () => Places): string {
  const [shell = '', , ...given] = argv
  const { typed, candidates } = found(byLine.has(shell) ? wordsOfLine(given.join(' ')) : given, tree, places)
  if (candidates === 'files') return ':file\n'
  return candidates
    .map(({ word, said }) => (shell === 'bash' ? `${behindBreak(typed, word)}\n` : `${word}\t${said}\n`))
    .join('')
}
