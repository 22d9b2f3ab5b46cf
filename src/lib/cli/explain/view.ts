/** Meanings of a word as people see them. */
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import type { View } from '../views/view.ts'
import type { Explanation } from './explain.ts'

const kinds: Readonly<Record<Explanation['kind'], string>> = {
  code: 'code of the service',
  status: 'status of the service',
  state: 'state of the journal',
  'exit-code': 'exit code of paydesk',
}

export function explanationView(meanings: readonly Explanation[]): View {
  return meanings.map(({ kind, word, about, name, means, moneyMoved, next, exit }) => ({
    kind: 'facts',
    title: `${word}${name === null ? '' : ` (${name})`}: ${kinds[kind]}${kind === 'code' || kind === 'status' ? `, of ${about}` : ''}`,
    rows: [
      ['means', means],
      ['money moved', moneyMoved],
      ['what to do', next],
      ['exit code', kind === 'exit-code' ? null : exit],
    ],
  }))
}

export function unexplained(word: string): Failure {
  return new Failure(
    'not-found',
    `nothing here is called "${word}": no code of the service, no status, no state, no exit code`,
    {
      moneyMoved: 'no',
      hints: [
        hint`A code or status that is not known here proves nothing and is never final: send nothing anew on its word.`,
        hint`\`${paste('help', 'exit-codes')}\` shows the exit codes.`,
      ],
    },
  )
}
