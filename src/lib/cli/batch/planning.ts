/**
 * A file planned by a command: the flags that say how it is read, and the plan that it becomes, also where a run asks for
 * the file at a terminal.
 */
import { Flags } from '@oclif/core'
import type { Plan } from '../../batch/plan.ts'
import type { PlanResult } from '../../batch/plan-file.ts'
import type { FileToRead } from '../../batch/read/file.ts'
import { type BatchFile, type FileFormat, fileFormats, type ReadOptions } from '../../batch/read/row.ts'
import { permissionNames } from '../../contract/core/permission.ts'
import { businessKeyInWords, isIdempotencyKey } from '../../contract/core/text.ts'
import { Failure, type MoneyMoved } from '../../failure.ts'
import { blank, hint, hintInWords, paste } from '../../hint.ts'
import type { Profile } from '../../profile/profile.ts'
import { profileOf } from '../desk/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { expandHome, unreadablePath } from '../input.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { openBatchDesk, plansOf } from './plans.ts'
import { planBlock } from './views.ts'

export const readingFlags = {
  format: Flags.option({ description: 'format of the file; detected if omitted', options: fileFormats })(),
  map: Flags.string({
    description: 'YAML file that maps columns to fields',
    helpValue: '<file>',
  }),
  'key-column': Flags.string({
    description: 'column with the idempotency key of each row; default "key", in pain.001 EndToEndId',
    helpValue: '<header>',
  }),
}

interface ReadingFlags {
  readonly format?: FileFormat | undefined
  readonly map?: string | undefined
  readonly 'key-column'?: string | undefined
}

/** The file of a command, to be taken once, and how it is to be read. Null: no profile is looked at. */
export async function fileOf(
  { edge, signal }: Invocation,
  path: string,
  flags: ReadingFlags,
  profile: Pick<Profile, 'permits' | 'orderType'> | null,
): Promise<readonly [FileToRead, ReadOptions]> {
  const { fileToRead } = await import('../../batch/read/file.ts')
  const { readColumnMap } = await import('../../batch/read/column-map.ts')
  const permits = profile?.permits ?? new Set(permissionNames)
  const options: ReadOptions = {
    format: flags.format ?? null,
    map: flags.map === undefined ? null : await readColumnMap(flags.map),
    keyColumn: flags['key-column'] ?? null,
    debits: profile && (permits.has('fromIban') ? 'any-account' : 'one-account'),
    circumstances: { permits, orderType: profile?.orderType ?? null, now: edge.clock.now() },
  }
  return [fileToRead(path, () => edge.stdin, signal), options]
}

/** Reads the file from its beginning, as this profile would send it. */
async function readFile(
  invocation: Invocation,
  path: string,
  flags: ReadingFlags,
  profile: Pick<Profile, 'permits' | 'orderType'>,
): Promise<BatchFile> {
  const { readRows } = await import('../../batch/read/read.ts')
  return readRows(...(await fileOf(invocation, path, flags, profile)))
}

/** A file planned by a command: the one that names it, or a run that asks for it at a terminal. */
export const planningFlags = {
  ...readingFlags,
  name: Flags.string({
    description: 'name for rows without a key: the same rows under the same name are paid once',
    helpValue: '2026-11',
  }),
  again: Flags.string({
    description: 'plan a file or rows of another plan once more; rows without a key get new ids',
    helpValue: '"<reason>"',
  }),
  'allow-duplicates': Flags.boolean({ description: 'confirm that similar rows, and rows sent before, are meant' }),
}

interface PlanningFlags extends SharedFlags, ReadingFlags {
  readonly name?: string | undefined
  readonly again?: string | undefined
  readonly 'allow-duplicates'?: boolean | undefined
}

interface PlannedFile {
  readonly plan: Plan
  readonly result: PlanResult
  /** The movement of money under the ids of its rows so far. */
  readonly moneyMoved: MoneyMoved
  /** True if it was planned before, and is good still. */
  readonly isKnown: boolean
}

export async function planTheFile(invocation: Invocation, path: string, flags: PlanningFlags): Promise<PlannedFile> {
  mustReadAsItIs('--name', flags.name)
  mustReadAsItIs('--again', flags.again)
  const profile = await profileOf(invocation, flags, 'payouts')
  const { desk, leaseHolder } = await openBatchDesk(invocation, profile, flags)
  const { planFile, planResultOf, readBalancesFor } = await import('../../batch/plan-file.ts')
  const { findApprovalOf } = await import('../../batch/limits.ts')
  const made = await planFile(desk, leaseHolder, {
    path,
    name: flags.name ?? null,
    again: flags.again ?? null,
    allowDuplicates: flags['allow-duplicates'] ?? false,
    plans: await plansOf(invocation),
    read: () => readFile(invocation, path, flags, profile),
  })
  invocation.closeAtEnd(() => made.store.close())
  return {
    plan: made.plan,
    result: await planResultOf(
      made,
      await readBalancesFor(desk, made.plan),
      await findApprovalOf(desk, leaseHolder, made.store, made.plan),
    ),
    moneyMoved: made.notices.moneyMoved,
    isKnown: made.standing === 'known',
  }
}

/** Throws usage (2) for a name that reads like another one: its rows would get other ids, and be paid once more. */
function mustReadAsItIs(flag: string, name: string | undefined): void {
  if (name === undefined || isIdempotencyKey(name)) return
  throw new Failure('usage', `${flag} must be ${businessKeyInWords}`, {
    hints: [hint`Invisible characters would give rows without a key other ids, and so pay them again.`],
  })
}

/** A failure whose words name a flag that only a plan takes is told with the command that takes it. */
function withFlagsElsewhere(error: unknown, path: string): unknown {
  if (!(error instanceof Failure)) return error
  const said = [error.message, ...(error.facts.hints ?? []).map((each) => hintInWords(each))].join(' ')
  const named = Object.keys(planningFlags).some((flag) => said.includes(`--${flag}`))
  if (!named) return error
  return error.with({
    hints: [
      hint`\`batch run\` takes none of these flags: \`${paste('batch plan', path, blank('<flags>'))}\` takes them, and names the plan to run.`,
    ],
  })
}

/** The plan of a run that names none: at a terminal it asks for the file, and shows what it comes to. */
export async function askForFileToPlan(invocation: Invocation, flags: SharedFlags): Promise<string> {
  const { canAsk, edge, signal, output } = invocation
  if (!canAsk) {
    throw new Failure('usage', 'the plan id is missing', {
      hints: [hint`\`${paste('batch plan', '<file>')}\` makes a plan, \`${paste('batch list')}\` lists plans.`],
    })
  }
  const meant = (typed: string) => expandHome(typed.trim(), edge.env.HOME)
  const typed = await terminalAsker(edge, signal).text({
    message: 'Which file of payouts?',
    validate: (text) => (text.trim() === '' ? 'Type its path, or ^C to stop.' : (unreadablePath(meant(text)) ?? true)),
  })
  const path = meant(typed)
  const { plan, result } = await planTheFile(invocation, path, flags).catch((error) => {
    throw withFlagsElsewhere(error, path)
  })
  output.show([planBlock(result)])
  for (const warning of result.warnings) output.warn(warning)
  return plan.planId
}
