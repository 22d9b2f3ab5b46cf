/** The questions of `profile add` at a terminal, in their order: each with the rule of its answer, and when it is asked. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../../failure.ts'
import { mustBeOwn } from '../../paths.ts'
import { fileComplaint } from '../../profile/add.ts'
import { readAddress } from '../../profile/address.ts'
import { type Part, parts } from '../../profile/parts.ts'
import { secretIn, secretOf } from '../../profile/secret.ts'
import { type SettingName, settings } from '../../profile/settings.ts'
import { environmentName, nameComplaint } from '../../profile/stored.ts'
import { readLimit } from '../../spending.ts'
import { expandHome } from '../input.ts'
import type { MenuChoice } from '../prompts/ask.ts'

/** The answers so far by the name of their question: the flag that says the same, where there is one. One left out is empty. */
export type Answers = Readonly<Record<string, string>>

/** A question of the wizard: a choice where it has options, else a text. */
export interface WizardStep {
  readonly name: string
  /** True if it is asked at all, as far as the wizard has come; always asked without it. */
  readonly when?: (said: Answers) => boolean
  readonly message: string | ((said: Answers) => string)
  readonly options?: readonly (string | MenuChoice)[]
  /** True for a text that is typed unseen. */
  readonly isHidden?: true
  /** The complaint about a text, a whole sentence; null for none. */
  readonly wrong?: (typed: string, said: Answers) => string | null
  /** The answer that Enter alone takes; an empty one leaves it out. */
  readonly usual?: (said: Answers) => string | undefined
}

export const typedPath = (typed: string) => resolve(expandHome(typed, undefined))

const described = (words: readonly string[], help: Readonly<Record<string, string>>) =>
  words.map((value) => ({ value, description: help[value] ?? '' }))

const usesOf: Readonly<Record<string, readonly Part[]>> = {
  payouts: ['payouts'],
  orders: ['orders'],
  'payouts and orders': ['payouts', 'orders'],
  'payouts, orders and the wallet': ['payouts', 'orders', 'wallet'],
  'orders and the wallet': ['orders', 'wallet'],
  'the wallet': ['wallet'],
}

const useHelp = {
  payouts: 'money from your account to beneficiaries',
  orders: 'money that payers pay you',
  'the wallet': 'orders by the QR code of a receiver',
}

/** True if the profile is for one of these parts of the service. */
function uses({ use = '' }: Answers, ...any: readonly Part[]): boolean {
  return any.some((part) => (usesOf[use] ?? parts).includes(part))
}

/** The choice for what the flags have said already; null where they say nothing. */
export function useGiven(given: readonly Part[]): string | null {
  const found = Object.entries(usesOf).find(([, each]) =>
    parts.every((part) => each.includes(part) === given.includes(part)),
  )
  return found?.[0] ?? null
}

/** The rule of the name of a file of this setting, or of the client secret: that of `profile add`. */
function fileRule(setting: SettingName | 'clientSecret') {
  return (typed: string): string | null => {
    const path = typedPath(typed)
    try {
      mustBeOwn(path, 'the file')
      const read = setting === 'clientSecret' ? secretIn(path) : null
      const complaint = read === null ? fileComplaint(setting, path, {}) : read.ok ? null : read.complaint
      return complaint === null ? null : `${path} ${complaint}.`
    } catch (error) {
      if (error instanceof Failure) return `${error.message}.`
      throw error
    }
  }
}

/** The rule of the name of a file that is to be made, with the ones that are made beside it. */
function newFileRule(endings: readonly string[]) {
  return (typed: string): string | null => {
    const taken = endings.map((ending) => `${typedPath(typed)}${ending}`).find((path) => existsSync(path))
    return taken === undefined ? null : `${taken} already exists and is never overwritten.`
  }
}

/** A name beside the configuration that no file has yet. */
function freePath(directory: string, name: string, ending: string, endings: readonly string[]): string {
  for (let nth = 1; ; nth += 1) {
    const path = join(directory, `${name}${nth === 1 ? '' : `-${nth}`}${ending}`)
    if (endings.every((each) => !existsSync(`${path}${each}`))) return path
  }
}

function newNameWrong(typed: string, names: readonly string[]): string | null {
  const complaint = nameComplaint(typed)
  if (complaint !== null) return `It ${complaint}.`
  return names.includes(typed) ? `A profile ${typed} already exists: \`profile show ${typed}\`.` : null
}

function addressWrong(typed: string, { environment }: Answers): string | null {
  const read = readAddress(typed)
  if (!read.ok) return `It ${read.complaint}.`
  return environment === 'live' && read.plain ? 'It must be https: a live profile never uses plain http.' : null
}

function uuidWrong(typed: string): string | null {
  const isUuid = settings.integratorId.rule.safeParse(typed).success
  return isUuid ? null : 'It must be a UUID, such as 3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11.'
}

const isElsewhere = 'no, some areas have other addresses'

const addressFlags = {
  payouts: settings.distributorUrl.flag,
  orders: settings.ordersUrl.flag,
  wallet: settings.walletUrl.flag,
} as const

function placeSteps(names: readonly string[]): readonly WizardStep[] {
  return [
    {
      name: 'name',
      message: 'What is the name of the profile? A short name, such as acme.',
      wrong: (typed) => newNameWrong(typed, names),
    },
    {
      name: settings.environment.flag,
      message: 'Is it the test service, or the live one?',
      options: described(settings.environment.takes, {
        test: 'no real money moves there',
        live: 'real money moves: every payment asks for its amount first',
      }),
    },
    {
      name: settings.baseUrl.flag,
      message: 'What is the address of the service? With its path, such as https://pay.example.com/api.',
      wrong: addressWrong,
    },
    { name: 'use', message: 'What will you use there?', options: described(Object.keys(usesOf), useHelp) },
    {
      name: 'sameAddress',
      when: (said) => parts.filter((part) => uses(said, part)).length > 1,
      message: (said) => `Is all of it at ${said['base-url']}?`,
      options: described(['yes', isElsewhere], { [isElsewhere]: 'each part is asked for' }),
    },
    ...parts.map(
      (part): WizardStep => ({
        name: addressFlags[part],
        when: (said) => uses(said, part) && said.sameAddress === isElsewhere,
        message: part === 'wallet' ? 'What is the address for the wallet?' : `What is the address for ${part}?`,
        usual: (said) => said['base-url'] ?? '',
        wrong: addressWrong,
      }),
    ),
    {
      name: settings.clientId.flag,
      when: (said) => uses(said, 'payouts'),
      message: 'What is your client id? A UUID that the service gave you.',
      wrong: uuidWrong,
    },
  ]
}

export const secretPlaces = {
  keyring: 'in the keyring of this machine',
  newFile: 'in a new file that only you can read',
  file: 'in an existing file',
  variable: 'in an environment variable',
  nowhere: 'nowhere yet',
} as const

const placeHelp = {
  [secretPlaces.keyring]: 'you type it now, hidden',
  [secretPlaces.newFile]: 'you type it now, hidden; the file gets mode 0600',
  [secretPlaces.file]: 'it is read each time',
  [secretPlaces.variable]: 'for a cron job or a container that sets it',
  [secretPlaces.nowhere]: 'payouts will need PAYDESK_CLIENT_SECRET',
}

/** The client secret: typed unseen into the keyring or a new file, or named where it is. */
function secretSteps({ directory, hasKeyring, hide }: StepSettings): readonly WizardStep[] {
  const isIn = (place: keyof typeof secretPlaces) => (said: Answers) => said.secretPlace === secretPlaces[place]
  const offered = Object.values(secretPlaces).filter((place) => hasKeyring || place !== secretPlaces.keyring)
  return [
    {
      name: 'secretPlace',
      when: (said) => uses(said, 'payouts'),
      message: 'Where should the client secret be stored?',
      options: described(offered, placeHelp),
    },
    {
      name: 'secret',
      when: (said) => isIn('keyring')(said) || isIn('newFile')(said),
      isHidden: true,
      message: 'What is the client secret?',
      wrong: (typed) => {
        hide(typed)
        const read = secretOf(typed)
        return read.ok ? null : `The secret ${read.complaint}`
      },
    },
    {
      name: 'newSecretFile',
      when: isIn('newFile'),
      message: 'In which new file?',
      usual: (said) => freePath(directory, said.name ?? '', '.secret', ['']),
      wrong: newFileRule(['']),
    },
    {
      name: 'client-secret-file',
      when: isIn('file'),
      message: 'In which file is the client secret?',
      wrong: fileRule('clientSecret'),
    },
    {
      name: 'client-secret-env',
      when: isIn('variable'),
      message: 'Which environment variable has the client secret?',
      wrong: (typed) => (environmentName.test(typed) ? null : 'It must be a name, such as ACME_SECRET.'),
    },
  ]
}

const makePair = 'generate a new pair'
const haveKey = 'an existing file'

const paddingHelp = {
  'oaep-sha256': 'RSA-OAEP with SHA-256, as specified',
  'oaep-sha256-mgf1-sha1': 'the same with MGF1 over SHA-1, as older libraries write it',
  pkcs1: 'PKCS#1 v1.5',
}

const schemeHelp = {
  'rsa-pkcs1': 'RSA in blocks, PKCS#1 v1.5; usual',
  'rsa-oaep-sha256': 'RSA in blocks, OAEP with SHA-256',
  aes: 'the same as orders have',
}

/** Identities and keys of orders and the wallet: files in any form, or a pair that is made at the end. */
function sealSteps({ directory }: StepSettings): readonly WizardStep[] {
  const isSealed = (said: Answers) => uses(said, 'orders', 'wallet')
  const isWallet = (said: Answers) => uses(said, 'wallet')
  const hasOwnKeys = (said: Answers) => isWallet(said) && said.walletKeys === 'yes'
  const pair = ['', '.pub']
  return [
    {
      name: settings.integratorId.flag,
      when: (said) => uses(said, 'orders'),
      message: 'What is your integrator id? A UUID that the service gave you.',
      wrong: uuidWrong,
    },
    {
      name: settings.servicePublicKeyFile.flag,
      when: isSealed,
      message: 'In which file is the public key that the service gave you?',
      wrong: fileRule('servicePublicKeyFile'),
    },
    {
      name: 'ownKey',
      when: (said) => isSealed(said) && said[settings.privateKeyFile.flag] === undefined,
      message: 'Which private key opens the answers?',
      options: described([haveKey, makePair], {
        [haveKey]: 'in any form: PEM, or base64 in one line',
        [makePair]: 'give its public half to the service',
      }),
    },
    {
      name: settings.privateKeyFile.flag,
      when: (said) => isSealed(said) && said.ownKey === haveKey,
      message: 'In which file is your private key?',
      wrong: fileRule('privateKeyFile'),
    },
    {
      name: 'newKeyFile',
      when: (said) => isSealed(said) && said.ownKey === makePair,
      message: 'In which new file should the private key be? The public half goes next to it (.pub).',
      usual: (said) => freePath(directory, said.name ?? '', '.key', pair),
      wrong: newFileRule(pair),
    },
    {
      name: settings.rsaPadding.flag,
      when: (said) => uses(said, 'orders'),
      message: 'How are the keys of an envelope wrapped?',
      options: described(settings.rsaPadding.takes, paddingHelp),
    },
    {
      name: settings.walletScheme.flag,
      when: isWallet,
      message: 'How are requests of the wallet sealed?',
      options: described(settings.walletScheme.takes, schemeHelp),
    },
    {
      name: settings.walletIdentifier.flag,
      when: isWallet,
      message: 'Which identifier do you have in the wallet? A UUID.',
      usual: (said) => said['integrator-id'] || undefined,
      wrong: uuidWrong,
    },
    {
      name: 'walletKeys',
      when: (said) => isWallet(said) && uses(said, 'orders'),
      message: 'Does the wallet have its own keys?',
      options: ['no', 'yes'],
    },
    {
      name: settings.walletServicePublicKeyFile.flag,
      when: hasOwnKeys,
      message: "In which file is the service's public key for the wallet?",
      wrong: fileRule('walletServicePublicKeyFile'),
    },
    {
      name: settings.walletPrivateKeyFile.flag,
      when: hasOwnKeys,
      message: 'In which file is your private key for the wallet?',
      wrong: fileRule('walletPrivateKeyFile'),
    },
  ]
}

/** More than anybody has: of each kind there is one, and there are three kinds for each currency. */
const limitNames = Array.from({ length: 30 }, (_, nth) => `limit ${nth}`)

/** The question that is answered where --limit was typed. */
export const firstLimit = limitNames[0] ?? ''

export const limitsSaid = (said: Answers) => limitNames.flatMap((name) => said[name] || [])

function limitWrong(typed: string): string | null {
  const read = readLimit(typed)
  return read.ok ? null : `It ${read.complaint}.`
}

const limitSteps: readonly WizardStep[] = limitNames.map((name, at) => ({
  name,
  when: (said) => uses(said, 'payouts') && (at === 0 || Boolean(said[limitNames[at - 1] ?? ''])),
  message:
    at === 0
      ? 'Is there a limit on payouts? Such as GEL 5000/payout, GEL 20000/day or 100/hour; a payout above it is held.'
      : 'Another limit?',
  usual: () => '',
  wrong: limitWrong,
}))

interface StepSettings {
  /** Where new files are, if no other place is typed. */
  readonly directory: string
  /** Names of the profiles that there are. */
  readonly names: readonly string[]
  /** True if this machine has a keyring that works. */
  readonly hasKeyring: boolean
  /** Hears of a secret that no line may show from now on. */
  readonly hide: (secret: string) => void
}

export function wizardSteps(given: StepSettings): readonly WizardStep[] {
  return [...placeSteps(given.names), ...secretSteps(given), ...sealSteps(given), ...limitSteps]
}
