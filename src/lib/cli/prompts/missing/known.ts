/** The things of a kind that are known here, the newest first. Where that cannot be looked at now there are none: one is typed. */

import { sumOf } from '../../../contract/core/decimal.ts'
import { type Field, fieldsOf } from '../../../contract/core/field.ts'
import { accountInWords } from '../../../contract/core/iban.ts'
import type { Subject, WriteOperation } from '../../../contract/operation.ts'
import { writesAbout } from '../../../contract/operations.ts'
import type { Intent } from '../../../journal/intent.ts'
import type { Journal } from '../../../journal/journal.ts'
import { requestIn } from '../../../journal/payment-end.ts'
import { builtIn } from '../../../profile/built-in.ts'
import { liveValues } from '../../completion/live.ts'
import { isNewJournal, journalPlace } from '../../desk/journal-place.ts'
import { ProfileAccess } from '../../desk/profile.ts'
import type { Invocation } from '../../invocation.ts'
import { timesShown } from '../../time/shown-time.ts'
import { type Zone, zoneIn } from '../../time/zoned-time.ts'
import type { MenuChoice } from '../ask.ts'
import type { AnswerKind } from './question-for.ts'

/** More than one reads at a glance. */
const most = 30

const subjects: Readonly<Partial<Record<string, Subject>>> = {
  payout: 'payout',
  order: 'order',
  wallet: 'wallet order',
}

/** The write that makes a thing: others are done to one that is there. */
function makes({ idField, request }: WriteOperation): boolean {
  return fieldsOf(request).some(({ name, made }: Field) => name === idField && made)
}

function intentChoice(intent: Intent, zone: Zone): MenuChoice {
  const sum = sumOf(intent)
  const { beneficiaryName } = requestIn(intent.body)
  const about = [...(sum === null ? [] : [sum]), `to ${accountInWords(intent.payee)}`]
  return {
    value: intent.journalId,
    name: [intent.journalId, sum, beneficiaryName].filter(Boolean).join('  '),
    description: `${about.join(' ')}; ${intent.state}, ${timesShown(intent.openedAt, zone)}`,
  }
}

/** The profile of the run, where one is named or usual. */
function profileOf(invocation: Invocation): Promise<string | null> {
  const flag = invocation.line.value('--profile')
  return new ProfileAccess(invocation).name({ profile: flag }).catch(() => null)
}

async function writes(journal: Journal, kind: string, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const subject = subjects[kind]
  const profile = subject ? await profileOf(invocation) : null
  const states = invocation.id === 'approval:request' ? { states: ['held'] } : {}
  const found = await journal.list({
    ...(profile === null ? {} : { profile }),
    ...(subject ? { operations: writesAbout(subject).filter(makes) } : {}),
    ...states,
    limit: most,
  })
  return found.map((intent) => intentChoice(intent, zoneIn(invocation.edge.env)))
}

async function payees(journal: Journal, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const profile = await profileOf(invocation)
  const found = profile === null ? [] : await journal.payees.list(profile)
  return found.map(({ payeeId, name, account }) => ({
    value: payeeId,
    name: `${payeeId}  ${name}`,
    description: accountInWords(account),
  }))
}

async function approvals(journal: Journal): Promise<readonly MenuChoice[]> {
  const asked = await (await journal.fourEyes()).approvals.list()
  return asked.map(({ approval: { facts, state } }) => ({
    value: facts.approval,
    name: `${facts.approval}  ${facts.sum}`,
    description: `${facts.sum} to ${facts.payee}; ${state}`,
  }))
}

async function inJournal(kind: string, invocation: Invocation): Promise<readonly MenuChoice[]> {
  const place = journalPlace(invocation)
  if (isNewJournal(place)) return []
  const { openJournal } = await import('../../../journal/open.ts')
  const { journal, close } = await openJournal(place, invocation.edge.clock, invocation.edge.random)
  try {
    if (kind === 'payee') return await payees(journal, invocation)
    return kind === 'approval' ? await approvals(journal) : await writes(journal, kind, invocation)
  } finally {
    await close()
  }
}

async function callbacks({ places, edge, naming }: Invocation): Promise<readonly MenuChoice[]> {
  const { CallbackStore } = await import('../../../callback/callbacks.ts')
  const store = await CallbackStore.open(places.callbacks, edge.clock, edge.random, naming)
  try {
    const found = await store.list({ limit: most })
    return found.map(({ callbackId, kind, receivedAt }) => ({
      value: callbackId,
      description: `${kind ?? 'unread'}, ${timesShown(receivedAt, zoneIn(edge.env))}`,
    }))
  } finally {
    await store.close()
  }
}

async function looked(kind: AnswerKind, invocation: Invocation): Promise<readonly MenuChoice[]> {
  if (kind === null || kind === 'file' || kind === 'new file') return []
  if (kind === 'callback') return callbacks(invocation)
  if (kind !== 'plan' && kind !== 'profile') return inJournal(kind, invocation)
  const inside = invocation.id === 'profile:remove' ? [] : builtIn
  return liveValues(kind, '', () => invocation.places, inside).map(({ word, said }) => ({
    value: word,
    description: said,
  }))
}

export async function knownThings(kind: AnswerKind, invocation: Invocation): Promise<readonly MenuChoice[]> {
  try {
    return (await looked(kind, invocation)).slice(0, most)
  } catch {
    return []
  }
}
