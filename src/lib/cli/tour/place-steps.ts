/** The beginning of the tour, and its end: name, service and addresses, then limits and the last word. */

import { parts } from '../../profile/parts.ts'
import { readAddress } from '../../profile/settings/address.ts'
import { settings } from '../../profile/settings/setting.ts'
import { nameComplaint } from '../../profile/settings/stored.ts'
import { readLimit } from '../../spending.ts'
import { uuidWrong } from './key-steps.ts'
import type { Answers, TourStep } from './step.ts'
import { useChoices, uses } from './use.ts'

const addressFlags = {
  payouts: settings.distributorUrl.flag,
  orders: settings.ordersUrl.flag,
  wallet: settings.walletUrl.flag,
} as const

/** Complaint about a name for a new profile. */
function newNameWrong(typed: string, names: readonly string[]): string | null {
  const complaint = nameComplaint(typed)
  if (complaint !== null) return `It ${complaint}.`
  return names.includes(typed) ? `There is a profile ${typed} already: \`profile show ${typed}\`.` : null
}

function addressWrong(said: Answers) {
  return (typed: string): string | null => {
    const read = readAddress(typed)
    if (!read.ok) return `It ${read.complaint}.`
    return said.environment === 'live' && read.plain ? 'It must be https: a live profile never uses plain http.' : null
  }
}

const isElsewhere = 'no, some parts are elsewhere'

/** An address for each part that is used, where the profile is for several. */
const otherAddresses = parts.map(
  (part): TourStep => ({
    name: addressFlags[part],
    when: (said) => uses(said, part) && said.sameAddress === isElsewhere,
    question: (said) => ({
      kind: 'text',
      message: part === 'wallet' ? 'At which address is the wallet?' : `At which address are ${part}?`,
      usual: said['base-url'] ?? '',
      wrong: addressWrong(said),
    }),
  }),
)

function serviceSteps(names: readonly string[]): readonly TourStep[] {
  return [
    {
      name: 'name',
      when: () => true,
      question: () => ({
        kind: 'text',
        message: 'What shall the profile be called? A short name, such as acme.',
        wrong: (typed) => newNameWrong(typed, names),
      }),
    },
    {
      name: settings.environment.flag,
      when: () => true,
      question: () => ({
        kind: 'choice',
        message: 'Is it the test service, or the live one?',
        options: [
          { value: 'test', description: 'no real money moves there' },
          { value: 'live', description: 'real money moves: each payment asks for its sum first' },
        ],
      }),
    },
    {
      name: settings.baseUrl.flag,
      when: () => true,
      question: (said) => ({
        kind: 'text',
        message: 'At which address is the service? With its path, such as https://pay.example.com/api.',
        wrong: addressWrong(said),
      }),
    },
  ]
}

/** The parts that are used, and where each is. */
function partSteps(): readonly TourStep[] {
  return [
    {
      name: 'use',
      when: () => true,
      question: () => ({ kind: 'choice', message: 'What will you use there?', options: useChoices }),
    },
    {
      name: 'sameAddress',
      when: (said) => parts.filter((part) => uses(said, part)).length > 1,
      question: (said) => ({
        kind: 'choice',
        message: `Is all of it at ${said['base-url']}?`,
        options: [
          { value: 'yes', description: '' },
          { value: isElsewhere, description: 'each part is asked for' },
        ],
      }),
    },
    ...otherAddresses,
    {
      name: settings.clientId.flag,
      when: (said) => uses(said, 'payouts'),
      question: () => ({
        kind: 'text',
        message: 'What is your client id? A UUID that the service gave you.',
        wrong: uuidWrong,
      }),
    },
  ]
}

export function placeSteps(names: readonly string[]): readonly TourStep[] {
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

export function limitSteps(): readonly TourStep[] {
  return Array.from({ length: mostLimits }, (_, at) => ({
    name: limitName(at),
    when: (said) =>
      uses(said, 'payouts') && said.limit === undefined && (at === 0 || (said[limitName(at - 1)] ?? '') !== ''),
    question: () => ({
      kind: 'text',
      message:
        at === 0
          ? 'Is there a limit on payouts? Such as GEL 5000/payout, GEL 20000/day or 100/hour; what is over it is held.'
          : 'Another limit?',
      usual: '',
      wrong: limitWrong,
    }),
  }))
}
