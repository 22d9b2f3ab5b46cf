/** The steps of the wizard of profile add: each question with its rule, and when it is asked. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAddress } from '../../profile/address.ts'
import { parts } from '../../profile/parts.ts'
import { secretOf } from '../../profile/secret.ts'
import { settings } from '../../profile/settings.ts'
import { environmentName, nameComplaint } from '../../profile/stored.ts'
import { readLimit } from '../../spending.ts'
import { type Answers, fileRule, newFileRule, useChoices, uses, type WizardStep } from './wizard-rules.ts'
/** The client secret in the wizard: typed unseen into the keyring or a new file, or named where it is. */
export const secretPlaces = {
  keyring: 'in the keyring of this machine',
  newFile: 'in a new file that only you can read',
  file: 'in an existing file',
  variable: 'in an environment variable',
  nowhere: 'nowhere yet',
} as const

const isIn = (said: Answers, ...places: readonly string[]) => places.includes(said.secretPlace ?? '')

const placeHelp: readonly (readonly [string, string])[] = [
  [secretPlaces.keyring, 'you type it now, hidden'],
  [secretPlaces.newFile, 'you type it now, hidden; the file gets mode 0600'],
  [secretPlaces.file, 'it is read each time'],
  [secretPlaces.variable, 'for a cron job or a container that sets it'],
  [secretPlaces.nowhere, 'payouts will need PAYDESK_CLIENT_SECRET'],
]

/** A name beside the configuration that no file has yet. */
function freePath(directory: string, name: string, ending: string, endings: readonly string[] = ['']): string {
  const isFree = (path: string) => endings.every((each) => !existsSync(`${path}${each}`))
  for (let nth = 1; ; nth += 1) {
    const path = join(directory, `${name}${nth === 1 ? '' : `-${nth}`}${ending}`)
    if (isFree(path)) return path
  }
}

/** `hasKeyring`: this machine has one that works. `hide`: a secret that no line may show from now on. */
export function secretSteps(
  directory: string,
  hasKeyring: boolean,
  hide: (secret: string) => void,
): readonly WizardStep[] {
  const typesIt = (said: Answers) => isIn(said, secretPlaces.keyring, secretPlaces.newFile)
  const options = placeHelp
    .filter(([value]) => hasKeyring || value !== secretPlaces.keyring)
    .map(([value, description]) => ({ value, description }))
  return [
    {
      name: 'secretPlace',
      when: (said) => uses(said, 'payouts'),
      message: 'Where should the client secret be stored?',
      options,
    },
    {
      name: 'secret',
      when: typesIt,
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
      when: (said) => isIn(said, secretPlaces.newFile),
      message: 'In which new file?',
      usual: (said) => freePath(directory, said.name ?? '', '.secret'),
      wrong: newFileRule(),
    },
    {
      name: 'client-secret-file',
      when: (said) => isIn(said, secretPlaces.file),
      message: 'In which file is the client secret?',
      wrong: fileRule('secret'),
    },
    {
      name: 'client-secret-env',
      when: (said) => isIn(said, secretPlaces.variable),
      message: 'Which environment variable has the client secret?',
      wrong: (typed) => (environmentName.test(typed) ? null : 'It must be a name, such as ACME_SECRET.'),
    },
  ]
}

const makePair = 'generate a new pair'
const haveKey = 'an existing file'

const yes = { value: 'yes', description: '' }
const no = { value: 'no', description: '' }

/** Identities and keys of orders and the wallet in the wizard: files in any form, or a pair that is made at the end. */
function uuidWrong(typed: string): string | null {
  return settings.integratorId.rule.safeParse(typed).success
    ? null
    : 'It must be a UUID, such as 3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11.'
}

const paddingHelp: Readonly<Record<string, string>> = {
  'oaep-sha256': 'RSA-OAEP with SHA-256, as specified',
  'oaep-sha256-mgf1-sha1': 'the same with MGF1 over SHA-1, as older libraries write it',
  pkcs1: 'PKCS#1 v1.5',
}

const schemeHelp: Readonly<Record<string, string>> = {
  'rsa-pkcs1': 'RSA in blocks, PKCS#1 v1.5; usual',
  'rsa-oaep-sha256': 'RSA in blocks, OAEP with SHA-256',
  aes: 'the same as orders have',
}

const described = (words: readonly string[], help: Readonly<Record<string, string>>) =>
  words.map((value) => ({ value, description: help[value] ?? '' }))

function keySteps(directory: string): readonly WizardStep[] {
  const isSealed = (said: Answers) => uses(said, 'orders', 'wallet')
  return [
    {
      name: settings.servicePublicKeyFile.flag,
      when: isSealed,
      message: 'In which file is the public key that the service gave you?',
      wrong: fileRule('public key'),
    },
    {
      name: 'ownKey',
      when: (said) => isSealed(said) && said[settings.privateKeyFile.flag] === undefined,
      message: 'Which private key opens the answers?',
      options: [
        { value: haveKey, description: 'in any form: PEM, or base64 in one line' },
        { value: makePair, description: 'give its public half to the service' },
      ],
    },
    {
      name: settings.privateKeyFile.flag,
      when: (said) => isSealed(said) && said.ownKey === haveKey,
      message: 'In which file is your private key?',
      wrong: fileRule('private key'),
    },
    {
      name: 'newKeyFile',
      when: (said) => isSealed(said) && said.ownKey === makePair,
      message: 'In which new file should the private key be? The public half goes next to it (.pub).',
      usual: (said) => freePath(directory, said.name ?? '', '.key', ['', '.pub']),
      wrong: newFileRule(['', '.pub']),
    },
  ]
}

function walletSteps(): readonly WizardStep[] {
  const isWallet = (said: Answers) => uses(said, 'wallet')
  const hasOwnKeys = (said: Answers) => isWallet(said) && said.walletKeys === 'yes'
  return [
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
      options: [no, yes],
    },
    {
      name: settings.walletServicePublicKeyFile.flag,
      when: hasOwnKeys,
      message: "In which file is the service's public key for the wallet?",
      wrong: fileRule('public key'),
    },
    {
      name: settings.walletPrivateKeyFile.flag,
      when: hasOwnKeys,
      message: 'In which file is your private key for the wallet?',
      wrong: fileRule('private key'),
    },
  ]
}

export function sealSteps(directory: string): readonly WizardStep[] {
  return [
    {
      name: settings.integratorId.flag,
      when: (said) => uses(said, 'orders'),
      message: 'What is your integrator id? A UUID that the service gave you.',
      wrong: uuidWrong,
    },
    ...keySteps(directory),
    {
      name: settings.rsaPadding.flag,
      when: (said) => uses(said, 'orders'),
      message: 'How are the keys of an envelope wrapped?',
      options: described(settings.rsaPadding.takes, paddingHelp),
    },
    ...walletSteps(),
  ]
}

const addressFlags = {
  payouts: settings.distributorUrl.flag,
  orders: settings.ordersUrl.flag,
  wallet: settings.walletUrl.flag,
} as const

/** Complaint about a name for a new profile. */
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

const isElsewhere = 'no, some areas have other addresses'

/** An address for each part that is used, where the profile is for several. */
const otherAddresses = parts.map(
  (part): WizardStep => ({
    name: addressFlags[part],
    when: (said) => uses(said, part) && said.sameAddress === isElsewhere,
    message: part === 'wallet' ? 'What is the address for the wallet?' : `What is the address for ${part}?`,
    usual: (said) => said['base-url'] ?? '',
    wrong: addressWrong,
  }),
)

function serviceSteps(names: readonly string[]): readonly WizardStep[] {
  return [
    {
      name: 'name',
      message: 'What is the name of the profile? A short name, such as acme.',
      wrong: (typed) => newNameWrong(typed, names),
    },
    {
      name: settings.environment.flag,
      message: 'Is it the test service, or the live one?',
      options: [
        { value: 'test', description: 'no real money moves there' },
        { value: 'live', description: 'real money moves: every payment asks for its amount first' },
      ],
    },
    {
      name: settings.baseUrl.flag,
      message: 'What is the address of the service? With its path, such as https://pay.example.com/api.',
      wrong: addressWrong,
    },
  ]
}

/** The parts that are used, and where each is. */
function partSteps(): readonly WizardStep[] {
  return [
    {
      name: 'use',
      message: 'What will you use there?',
      options: useChoices,
    },
    {
      name: 'sameAddress',
      when: (said) => parts.filter((part) => uses(said, part)).length > 1,
      message: (said) => `Is all of it at ${said['base-url']}?`,
      options: [
        { value: 'yes', description: '' },
        { value: isElsewhere, description: 'each part is asked for' },
      ],
    },
    ...otherAddresses,
    {
      name: settings.clientId.flag,
      when: (said) => uses(said, 'payouts'),
      message: 'What is your client id? A UUID that the service gave you.',
      wrong: uuidWrong,
    },
  ]
}

/** The beginning of the wizard, and its end: name, service and addresses, then limits and the last word. */
export function placeSteps(names: readonly string[]): readonly WizardStep[] {
  return [...serviceSteps(names), ...partSteps()]
}

/** More than anybody has: of each kind there is one, and there are three kinds for each currency. */
const mostLimits = 30

export const limitName = (nth: number) => `limit ${nth}`

export function limitsSaid(said: Answers): readonly string[] {
  return Array.from({ length: mostLimits }, (_, at) => said[limitName(at)]).filter(
    (limit) => limit !== undefined && limit !== '',
  ) as string[]
}

function limitWrong(typed: string): string | null {
  const read = readLimit(typed)
  return read.ok ? null : `It ${read.complaint}.`
}

export function limitSteps(): readonly WizardStep[] {
  return Array.from({ length: mostLimits }, (_, at) => ({
    name: limitName(at),
    when: (said) =>
      uses(said, 'payouts') && said.limit === undefined && (at === 0 || (said[limitName(at - 1)] ?? '') !== ''),
    message:
      at === 0
        ? 'Is there a limit on payouts? Such as GEL 5000/payout, GEL 20000/day or 100/hour; a payout above it is held.'
        : 'Another limit?',
    usual: () => '',
    wrong: limitWrong,
  }))
}
