/**
 * Parsing a command line: at a terminal a person is asked for what is missing. What tells of a wrong line is loaded
 * when a line is wrong.
 */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { isBuiltIn } from '../../profile/built-in.ts'
import { NoProfileNamed } from '../../profile/choose.ts'
import { Profiles, unknownProfile } from '../../profile/profiles.ts'
import { isNewJournal, journalPlace } from '../desk/journal.ts'
import type { TypedLine } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import type { CommandTerms } from './errors.ts'

/** The command of a run: its class as it is declared to oclif, and what was typed. */
interface TypedRun {
  readonly id?: string | undefined
  readonly argv: readonly string[]
  readonly ctor: Pick<CommandTerms, 'flags' | 'args'> & { readonly baseFlags: CommandTerms['flags'] }
}

function termsOfRun({ id = '', argv, ctor }: TypedRun): CommandTerms {
  return { words: id.replaceAll(':', ' '), argv, flags: { ...ctor.baseFlags, ...ctor.flags }, args: ctor.args }
}

/** Every complaint of oclif's parser has this member; oclif itself is not loaded to ask for its class. */
const isOfParser = (error: unknown): error is Error => error instanceof Error && 'oclif' in error

/** A complaint of oclif's parser as Failure('usage'); all else as it is. */
export async function asUsageFailure(error: unknown, run: TypedRun): Promise<unknown> {
  if (!isOfParser(error)) return error
  const { usageFailure } = await import('./errors.ts')
  return usageFailure(error, termsOfRun(run))
}

/** The parsed line. Throws the complaint of oclif's parser about all else. `heard`: is told the words so far after each answer. */
export async function parseAsking<Line>(
  parse: (argv: string[]) => Promise<Line>,
  invocation: Invocation,
  run: TypedRun,
  heard: (words: string[]) => void,
): Promise<Line> {
  let words = [...run.argv]
  for (;;) {
    try {
      return await parse(words)
    } catch (error) {
      if (!invocation.canAsk || !isOfParser(error)) throw error
      const { withAnswers } = await import('./missing.ts')
      const answered = await withAnswers(error, invocation, termsOfRun({ ...run, argv: words }), heard)
      if (answered === null) throw error
      words = answered
    }
  }
}

async function isInJournal(profile: string, invocation: Invocation): Promise<boolean> {
  const place = journalPlace(invocation)
  if (isNewJournal(place)) return false
  const { openJournal } = await import('../../journal/open.ts')
  const { journal, close } = await openJournal(place, invocation.edge.clock, invocation.edge.random)
  try {
    return (await journal.list({ profile, limit: 1 })).length > 0
  } finally {
    await close()
  }
}

/** Settings that cannot be read are told by the commands that need them. */
function namesIn(profiles: Profiles): readonly string[] | null {
  try {
    return profiles.readNow().names
  } catch {
    return null
  }
}

/**
 * Throws credentials (4) for a profile that neither the settings nor the journal know. Where the journal cannot be read, the
 * command that needs it says so; one that acts as the profile needs its settings.
 */
async function profileMustBeKnown(profile: string, invocation: Invocation): Promise<void> {
  if (isBuiltIn(profile)) return
  const names = namesIn(new Profiles(invocation.places.config))
  if (names === null || names.includes(profile)) return
  if (await isInJournal(profile, invocation).catch(() => true)) return
  throw unknownProfile(profile, { names })
}

interface Parsed {
  readonly flags: Readonly<Record<string, unknown>>
}

/**
 * The journal of a run was chosen by the profile of its line as it was typed. Throws a bug (1) where oclif has read another one:
 * in another journal a key that was sent would be sent again.
 */
export function mustBeProfileOf(line: TypedLine, { profile }: Parsed['flags']): void {
  const typed = line.value('--profile')
  if (typed === profile) return
  throw new Failure('bug', `the profile of this line was read twice, as ${typed} and as ${profile}; nothing was sent`, {
    moneyMoved: 'no',
    hints: [hint`Name it with \`--profile <name>\`, and report this line.`],
  })
}

/** The profile that a person picks, where several exist and none was named; null where nobody can be asked. */
export async function pickProfile(failure: Failure, invocation: Invocation): Promise<string | null> {
  if (!(failure instanceof NoProfileNamed) || failure.names.length < 2 || !invocation.canAsk) return null
  const { listKnownThings } = await import('./missing.ts')
  const { terminalAsker } = await import('../prompts/ask.ts')
  const known = await listKnownThings('profile', invocation)
  const choices = known.filter(({ value }) => failure.names.includes(value) || value === 'sandbox')
  if (choices.length === 0) return null
  const asker = terminalAsker(invocation.edge, invocation.signal)
  return asker.choice('Which profile? `paydesk profile use <name>` makes one the default.', choices)
}

/** It looks for its profile by itself: the journal, which may know one too, is not opened for it. */
const changesNothing = 'doctor'

/** The command line, as it was parsed. Throws credentials (4) where it names a profile that does not exist. */
export async function withKnownProfile<Line extends Parsed>(line: Line, invocation: Invocation): Promise<Line> {
  const { profile } = line.flags
  if (typeof profile !== 'string' || invocation.id === changesNothing) return line
  await profileMustBeKnown(profile, invocation)
  return line
}
