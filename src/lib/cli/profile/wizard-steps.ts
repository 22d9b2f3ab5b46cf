/**
 * The questions of `profile add` at a terminal, in their order. One about a setting has its name, its rule and its options
 * from that setting (src/lib/profile/settings.ts).
 */
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

/** The words of options that do not speak for themselves. */
const optionHelp: Readonly<Record<string, string>> = {
  test: 'no real money moves there',
  live: 'real money moves: every payment asks for its amount first',
  payouts: 'money from your account to beneficiaries',
  orders: 'money that payers pay you',
  'the wallet': 'orders by the QR code of a receiver',
  'no, some areas have other addresses': 'each part is asked for',
  'in the keyring of this machine': 'you type it now, hidden',
  'in a new file that only you can read': 'you type it now, hidden; the file gets mode 0600',
  'in an existing file': 'it is read each time',
  'in an environment variable': 'for a cron job or a container that sets it',
  'nowhere yet': 'payouts will need PAYDESK_CLIENT_SECRET',
  'an existing file': 'in any form: PEM, or base64 in one line',
  'generate a new pair': 'give its public half to the service',
  'oaep-sha256': 'RSA-OAEP with SHA-256, as specified',
  'oaep-sha256-mgf1-sha1': 'the same with MGF1 over SHA-1, as older libraries write it',
  pkcs1: 'PKCS#1 v1.5',
  'rsa-pkcs1': 'RSA in blocks, PKCS#1 v1.5; usual',
  'rsa-oaep-sha256': 'RSA in blocks, OAEP with SHA-256',
  aes: 'the same as orders have',
}

const described = (words: readonly string[]) => words.map((value) => ({ value, description: optionHelp[value] ?? '' }))

const usesOf: Readonly<Record<string, readonly Part[]>> = {
  payouts: ['payouts'],
  orders: ['orders'],
  'payouts and orders': ['payouts', 'orders'],
  'payouts, orders and the wallet': ['payouts', 'orders', 'wallet'],
  'orders and the wallet': ['orders', 'wallet'],
  'the wallet': ['wallet'],
}

/** True if the profile is for one of these parts of the service. */
function uses({ use = '' }: Answers, ...any: readonly Part[]): boolean {
  return any.some((part) => (usesOf[use] ?? parts).includes(part))
}

const forUse =
  (...any: readonly Part[]) =>
  (said: Answers) =>
    uses(said, ...any)

/** The choice for what the flags have said already; null where they say nothing. */
export function useGiven(given: readonly Part[]): string | null {
  const found = Object.entries(usesOf).find(([, each]) =>
    parts.every((part) => each.includes(part) === given.includes(part)),
  )
  return found?.[0] ?? null
}

// --- Rules

/** The complaint about the name of a file of this setting, or of the client secret: that of `profile add`. */
function fileWrong(setting: SettingName | 'clientSecret', typed: string): string | null {
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

function addressWrong(typed: string, { environment }: Answers): string | null {
  const read = readAddress(typed)
  if (!read.ok) return `It ${read.complaint}.`
  return environment === 'live' && read.plain ? 'It must be https: a live profile never uses plain http.' : null
}

function uuidWrong(typed: string): string | null {
  const isUuid = settings.integratorId.rule.safeParse(typed).success
  return isUuid ? null : 'It must be a UUID, such as 3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11.'
}

/** The question for a setting. */
function ask(setting: SettingName, message: string, more: Partial<WizardStep> = {}): WizardStep {
  const { flag, takes } = settings[setting]
  if (typeof takes !== 'string') return { name: flag, message, options: described(takes), ...more }
  const rules = { url: addressWrong, uuid: uuidWrong, file: (typed: string) => fileWrong(setting, typed) }
  return { name: flag, message, wrong: rules[takes as keyof typeof rules], ...more }
}

// --- Questions

function placeSteps(names: readonly string[]): readonly WizardStep[] {
  const elsewhere = 'no, some areas have other addresses'
  const address = (setting: SettingName, part: Part, named: string) =>
    ask(setting, `What is the address for ${named}?`, {
      when: (said) => uses(said, part) && said.sameAddress === elsewhere,
      usual: (said) => said['base-url'] ?? '',
    })
  return [
    {
      name: 'name',
      message: 'What is the name of the profile? A short name, such as acme.',
      wrong: (typed) => {
        const complaint = nameComplaint(typed)
        if (complaint !== null) return `It ${complaint}.`
        return names.includes(typed) ? `A profile ${typed} already exists: \`profile show ${typed}\`.` : null
      },
    },
    ask('environment', 'Is it the test service, or the live one?'),
    ask('baseUrl', 'What is the address of the service? With its path, such as https://pay.example.com/api.'),
    { name: 'use', message: 'What will you use there?', options: described(Object.keys(usesOf)) },
    {
      name: 'sameAddress',
      when: (said) => parts.filter((part) => uses(said, part)).length > 1,
      message: (said) => `Is all of it at ${said['base-url']}?`,
      options: described(['yes', elsewhere]),
    },
    address('distributorUrl', 'payouts', 'payouts'),
    address('ordersUrl', 'orders', 'orders'),
    address('walletUrl', 'wallet', 'the wallet'),
    ask('clientId', 'What is your client id? A UUID that the service gave you.', { when: forUse('payouts') }),
  ]
}

export const secretPlaces = {
  keyring: 'in the keyring of this machine',
  newFile: 'in a new file that only you can read',
  file: 'in an existing file',
  variable: 'in an environment variable',
  nowhere: 'nowhere yet',
} as const

/** The client secret: typed unseen into the keyring or a new file, or named where it is. */
function secretSteps({ directory, hasKeyring, hide }: StepSettings): readonly WizardStep[] {
  const isIn = (place: keyof typeof secretPlaces) => (said: Answers) => said.secretPlace === secretPlaces[place]
  const offered = Object.values(secretPlaces).filter((place) => hasKeyring || place !== secretPlaces.keyring)
  return [
    {
      name: 'secretPlace',
      when: forUse('payouts'),
      message: 'Where should the client secret be stored?',
      options: described(offered),
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
      wrong: (typed) => fileWrong('clientSecret', typed),
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

/** Identities and keys of orders and the wallet: files in any form, or a pair that is made at the end. */
function sealSteps({ directory }: StepSettings): readonly WizardStep[] {
  const isSealed = forUse('orders', 'wallet')
  const isWallet = forUse('wallet')
  const hasOwnKeys = (said: Answers) => isWallet(said) && said.walletKeys === 'yes'
  const pair = ['', '.pub']
  return [
    ask('integratorId', 'What is your integrator id? A UUID that the service gave you.', { when: forUse('orders') }),
    ask('servicePublicKeyFile', 'In which file is the public key that the service gave you?', { when: isSealed }),
    {
      name: 'ownKey',
      when: (said) => isSealed(said) && said[settings.privateKeyFile.flag] === undefined,
      message: 'Which private key opens the answers?',
      options: described([haveKey, makePair]),
    },
    ask('privateKeyFile', 'In which file is your private key?', {
      when: (said) => isSealed(said) && said.ownKey === haveKey,
    }),
    {
      name: 'newKeyFile',
      when: (said) => isSealed(said) && said.ownKey === makePair,
      message: 'In which new file should the private key be? The public half goes next to it (.pub).',
      usual: (said) => freePath(directory, said.name ?? '', '.key', pair),
      wrong: newFileRule(pair),
    },
    ask('rsaPadding', 'How are the keys of an envelope wrapped?', { when: forUse('orders') }),
    ask('walletScheme', 'How are requests of the wallet sealed?', { when: isWallet }),
    ask('walletIdentifier', 'Which identifier do you have in the wallet? A UUID.', {
      when: isWallet,
      usual: (said) => said[settings.integratorId.flag] || undefined,
    }),
    {
      name: 'walletKeys',
      when: (said) => isWallet(said) && uses(said, 'orders'),
      message: 'Does the wallet have its own keys?',
      options: ['no', 'yes'],
    },
    ask('walletServicePublicKeyFile', "In which file is the service's public key for the wallet?", {
      when: hasOwnKeys,
    }),
    ask('walletPrivateKeyFile', 'In which file is your private key for the wallet?', { when: hasOwnKeys }),
  ]
}

const limitName = (nth: number) => `limit ${nth}`

/** The question that is answered where --limit was typed. */
export const firstLimit = limitName(0)

export function limitsSaid(said: Answers): readonly string[] {
  const limits: string[] = []
  for (let typed = said[firstLimit]; typed; typed = said[limitName(limits.length)]) limits.push(typed)
  return limits
}

/** The question for one more limit, until it is left out. */
function limitStep(said: Answers): WizardStep {
  const nth = limitsSaid(said).length
  const first =
    'One limit on payouts, such as GEL 5000/payout, GEL 20000/day or 100/hour; a payout above it is held, and more limits are asked next.'
  return {
    name: limitName(nth),
    when: forUse('payouts'),
    message: nth === 0 ? first : 'Another limit?',
    usual: () => '',
    wrong: (typed) => {
      if (typed.includes(',')) return 'Type one at a time: the next one is asked for behind it.'
      const read = readLimit(typed)
      return read.ok ? null : `It ${read.complaint}.`
    },
  }
}

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

export function wizardSteps(given: StepSettings, said: Answers): readonly WizardStep[] {
  return [...placeSteps(given.names), ...secretSteps(given), ...sealSteps(given), limitStep(said)]
}
