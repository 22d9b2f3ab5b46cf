/**
 * `profile add` at a terminal as a wizard: every question first, then all that is to be kept at once. ^C at any question
 * leaves nothing behind.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock, Edge, Random } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { type AddContext, type Added, addProfile } from '../../profile/add.ts'
import { identityFlag, parts } from '../../profile/parts.ts'
import type { Keyring } from '../../profile/secret.ts'
import { type GivenSettings, secretFlags, settingNames, settings } from '../../profile/settings.ts'
import type { Invocation } from '../invocation.ts'
import { type NewFile, writeNewFiles } from '../output/files.ts'
import { type Asker, terminalAsker, withWayBack } from '../prompts/ask.ts'
import { askYesOrNo } from '../prompts/confirm.ts'
import { placeholder } from '../usage/missing.ts'
import { checkProfileNow } from './views.ts'
import {
  type Answers,
  firstLimit,
  limitsSaid,
  secretPlaces,
  typedPath,
  useGiven,
  type WizardStep,
  wizardSteps,
} from './wizard-steps.ts'

export interface Wizard extends Pick<Edge, 'clock' | 'random'> {
  readonly asker: Asker
  /** Hears of a secret that no line may show from now on. */
  readonly hide: (secret: string) => void
  readonly say: (line: string) => void
  readonly context: AddContext
  /** Null where the name was not typed. */
  readonly name: string | null
  readonly given: GivenSettings
  readonly directory: string
}

async function answerTo(asker: Asker, step: WizardStep, said: Answers): Promise<string> {
  const message = typeof step.message === 'string' ? step.message : step.message(said)
  if (step.options) return asker.choice(message, step.options)
  const { isHidden = false, wrong } = step
  const usual = step.usual?.(said)
  const answer = await asker[isHidden ? 'hidden' : 'text']({
    message,
    remarks: usual === undefined ? [] : [usual === '' ? 'Enter to skip' : `Enter for ${usual}`],
    validate: (typed) => {
      if (typed.trim() === '') return usual === undefined ? 'It is required.' : true
      return wrong?.(isHidden ? typed : typed.trim(), said) ?? true
    },
  })
  if (answer.trim() === '') return usual ?? ''
  return isHidden ? answer : answer.trim()
}

/** The answers of a person; those in `before` are not asked for. `steps` are those that are known by then. */
function runWizard(asker: Asker, steps: (said: Answers) => readonly WizardStep[], before: Answers): Promise<Answers> {
  return withWayBack(asker, async (within) => {
    const said: Record<string, string> = { ...before }
    for (;;) {
      const step = steps(said).find(({ name, when }) => said[name] === undefined && (when?.(said) ?? true))
      if (!step) return said
      said[step.name] = await answerTo(within, step, said)
    }
  })
}

/** Milliseconds for a keyring to say that it is there. */
const patience = 3000

async function works(keyring: Keyring, clock: Clock): Promise<boolean> {
  const answered = keyring.read('is it there?').then(
    () => true,
    () => false,
  )
  return Promise.race([answered, clock.sleep(patience).then(() => false)])
}

/** The answers that the command line gives already. */
function answersIn(given: GivenSettings, name: string | null): Answers {
  const typed = Object.entries(given).filter(([, value]) => typeof value === 'string')
  const use = useGiven(parts.filter((part) => given[identityFlag[part]] !== undefined))
  const hasAddress = ['distributor-url', 'orders-url', 'wallet-url'].some((flag) => given[flag] !== undefined)
  return {
    ...(Object.fromEntries(typed) as Answers),
    ...(name === null ? {} : { name }),
    ...(use === null ? {} : { use }),
    ...(secretFlags.some((flag) => given[flag]) ? { secretPlace: '' } : {}),
    ...(hasAddress ? { sameAddress: 'yes' } : {}),
    ...(given.limit === undefined ? {} : { [firstLimit]: '' }),
    ...(given.use ? { asDefault: 'yes' } : {}),
  }
}

/** An answer that says no more than another one does. */
function isRepeated(flag: string, answer: string, said: Answers): boolean {
  if (flag.endsWith('-url') && flag !== 'base-url') return answer === said['base-url']
  return flag === settings.walletIdentifier.flag && answer === said[settings.integratorId.flag]
}

/** The flags of `profile add` that say the same as the answers. */
function flagsOf(said: Answers, given: GivenSettings): GivenSettings {
  const all = [...settingNames.map((name) => settings[name]), ...secretFlags.map((flag) => ({ flag, takes: 'text' }))]
  const flags = all.flatMap(({ flag, takes }) => {
    const answer = said[flag] ?? ''
    if (given[flag] !== undefined || answer === '' || isRepeated(flag, answer, said)) return []
    return [[flag, takes === 'file' || flag === 'client-secret-file' ? typedPath(answer) : answer]]
  })
  const limits = limitsSaid(said)
  return {
    ...given,
    ...Object.fromEntries(flags),
    ...(said.secretPlace === secretPlaces.keyring ? { 'client-secret-stdin': true } : {}),
    ...(said.newSecretFile ? { 'client-secret-file': typedPath(said.newSecretFile) } : {}),
    ...(said.newKeyFile ? { [settings.privateKeyFile.flag]: typedPath(said.newKeyFile) } : {}),
    ...(limits.length > 0 ? { limit: limits } : {}),
    ...(said.asDefault === 'yes' ? { use: true } : {}),
  }
}

function summary(said: Answers, given: GivenSettings): string {
  const flags = Object.entries(flagsOf(said, given)).filter(([, value]) => value !== undefined && value !== false)
  const rows = flags.map(([flag, value]) => {
    if (flag === 'client-secret-stdin') return ['client secret', secretPlaces.keyring] as const
    return [flag, Array.isArray(value) ? value.join(', ') : value === true ? 'yes' : String(value)] as const
  })
  const width = Math.max(...rows.map(([flag]) => flag.length))
  const lines = rows.map(([flag, value]) => `  ${flag.padEnd(width)}  ${value}`)
  return [`Profile ${said.name}:`, ...lines, 'Keep it?'].join('\n')
}

function lastSteps(hasDefault: boolean, given: GivenSettings): readonly WizardStep[] {
  return [
    {
      name: 'asDefault',
      when: () => !hasDefault,
      message: (said) => `Make ${said.name} the default profile?`,
      options: ['no', 'yes'],
    },
    { name: 'keep', message: (said) => summary(said, given), options: ['keep', 'cancel'] },
  ]
}

async function filesFor({ newSecretFile, secret = '', newKeyFile }: Answers, random: Random) {
  const files: NewFile[] = newSecretFile ? [{ path: typedPath(newSecretFile), text: `${secret}\n` }] : []
  if (!newKeyFile) return files
  const { privateKey, publicKey } = await random.rsaKeyPair(4096)
  const path = typedPath(newKeyFile)
  return [...files, { path, text: `${privateKey}\n` }, { path: `${path}.pub`, text: `${publicKey}\n` }]
}

async function addAnswered(said: Answers, { random, context, given }: Wizard): Promise<Added> {
  const files = await filesFor(said, random)
  writeNewFiles(files, true)
  try {
    const stdin = Readable.from([said.secret ?? ''])
    return await addProfile(said.name ?? '', flagsOf(said, given), { ...context, stdin })
  } catch (error) {
    for (const { path } of files) rmSync(path, { force: true })
    throw error
  }
}

/** Asks for all that a new profile needs and is not given, and keeps it. Throws a Failure: declined (3), usage (2). */
export async function profileByWizard(wizard: Wizard): Promise<Added> {
  const { asker, clock, hide, say, context, name, given, directory } = wizard
  const { names, default: usual } = await context.profiles.read()
  const hasKeyring = await works(context.keyring, clock)
  const steps = (said: Answers) => [
    ...wizardSteps({ directory, names, hasKeyring, hide }, said),
    ...lastSteps(usual !== null, given),
  ]
  const said = await runWizard(asker, steps, answersIn(given, name))
  if (said.keep !== 'keep') throw new Failure('declined', 'you said no; nothing was saved')
  const added = await addAnswered(said, wizard)
  if (said.newKeyFile) say(`Give ${typedPath(said.newKeyFile)}.pub to the service; the private key stays with you.`)
  return added
}

/** True for a new profile of which a required setting was not typed. */
async function isToBeAskedFor(name: string, given: GivenSettings, { profiles }: AddContext): Promise<boolean> {
  if (name === placeholder) return true
  const isWhole = [settings.baseUrl, settings.environment].every(({ flag }) => given[flag] !== undefined)
  return !isWhole && !(await profiles.read()).names.includes(name)
}

/** The profile stands whatever its check says: the end of the command is that of the check. */
export async function addProfileAtTerminal(
  invocation: Invocation,
  name: string,
  given: GivenSettings,
  context: AddContext,
): Promise<Added> {
  if (!(await isToBeAskedFor(name, given, context))) return addProfile(name, given, context)
  const { edge, signal, output, places } = invocation
  const asker = terminalAsker(edge, signal)
  const added = await profileByWizard({
    ...{ asker, context, given, clock: edge.clock, random: edge.random },
    name: name === placeholder ? null : name,
    // Beside the configuration, as private as that.
    directory: join(places.config, 'credentials'),
    hide: (secret) => output.redactor.hide(secret),
    say: (line) => output.say(line),
  })
  output.say(`Profile ${added.profile.name} is saved.`)
  if (!(await askYesOrNo(asker, 'Test it now?'))) return added
  await checkProfileNow(invocation, added.profile.name)
  return added
}
