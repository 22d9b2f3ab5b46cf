/** Values that are looked up while one types. Whatever cannot be looked at now has none: a shell is no place for complaints. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../home.ts'
import { type TypedWrite, writesTyped } from '../../store/journal/typed.ts'
import type { Candidate } from './asked.ts'
import type { LiveKind } from './tree.ts'

/** More than one reads at a glance. */
const most = 30

/** Words that need no quotes in any shell; others would not be found again by what they are. */
const plainWord = /^[\w.:@+-]+$/

function profiles({ config }: Places): readonly Candidate[] {
  const settings = JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'))
  return Object.keys(settings.profiles).map((word) => ({ word, said: 'profile' }))
}

function plans({ batches }: Places): readonly Candidate[] {
  const ids = readdirSync(batches).flatMap((name) => /^(b-[0-9a-f]+)\.db$/.exec(name)?.[1] ?? [])
  return ids.slice(0, most).map((word) => ({ word, said: 'plan' }))
}

/** "GEL 12.50 payout.create accepted 2026-11-20": no person, no account. */
function saidOf({ amountMinor, currency, operation, state, openedAt }: TypedWrite): string {
  const sum =
    amountMinor === null ? [] : [`${currency ?? ''} ${amountMinor.replace(/^(\d*?)(\d{1,2})$/, decimal)}`.trim()]
  return [...sum, operation, state, openedAt.slice(0, 10)].join(' ')
}

/** "5" is 0.05, "1250" is 12.50: two decimals, as every currency of the service has. */
function decimal(_units: string, whole: string, rest: string): string {
  return `${whole || '0'}.${rest.padStart(2, '0')}`
}

/** Each write by what begins as typed: its journal id, else its key, else its id at the service. */
function writes({ journal, team }: Places, kind: LiveKind, typed: string): readonly Candidate[] {
  if (team !== null) return []
  const found = writesTyped(journal, typed, kind === 'write' ? '' : `${kind}.`, most)
  return found.flatMap((each) => {
    const word = [each.id, each.key, each.uniqueId].find((name) => name?.startsWith(typed) && plainWord.test(name))
    return word ? [{ word, said: saidOf(each) }] : []
  })
}

function attempted(look: () => readonly Candidate[]): readonly Candidate[] {
  try {
    return look()
  } catch {
    return []
  }
}

/** The values of a kind that begin as typed; `builtIn` are profiles that are always there. Files are left to the shell. */
export function liveValues(
  kind: Exclude<LiveKind, 'file'>,
  typed: string,
  places: () => Places,
  builtIn: readonly string[],
): readonly Candidate[] {
  const inside = builtIn.map((word) => ({ word, said: 'of the sandbox' }))
  const found =
    kind === 'profile'
      ? [...attempted(() => profiles(places())), ...inside]
      : attempted(() => (kind === 'plan' ? plans(places()) : writes(places(), kind, typed)))
  return found.filter(({ word }) => word.startsWith(typed) && plainWord.test(word))
}
