/** The actions behind the forms of the window. Each answers one sentence. */
import { momentOfValidUntil } from '../../contract/date.ts'
import { Failure } from '../../failure.ts'
import { type ClockState, localMoment, serviceZone } from '../clock/clock.ts'
import { readLongTime } from '../clock/long-time.ts'
import { faultKinds, faultPlaces, faultsCleared } from '../faults/kinds.ts'
import type { Service } from '../service.ts'
import { type Played, type Triggered, triggers } from '../trigger/trigger.ts'
import { faultPresets } from './preset.ts'

/** The sandbox as its window needs it. */
export interface WindowSandbox extends Service {
  trigger(triggered: Triggered): Promise<Played>
}

type Act = (sandbox: WindowSandbox, given: URLSearchParams) => Promise<string>

function stands({ now }: ClockState): string {
  return `It is ${localMoment(now).slice(0, 19).replace('T', ' ')} at the service (${serviceZone}).`
}

/** One of the words a form may choose from. */
function oneOf<Word extends string>(words: readonly Word[], given: string | null, what: string): Word {
  const word = words.find((each) => each === given)
  if (word === undefined) throw new Failure('usage', `${what} is one of ${words.join(', ')}`)
  return word
}

/** A number that may be left out. */
function count(given: URLSearchParams, name: string): number | undefined {
  const text = given.get(name)
  return text === null || text === '' ? undefined : Number(text)
}

/** A stretch of time in milliseconds. */
function time(text: string | null): number {
  const milliseconds = readLongTime(text ?? '')
  if (milliseconds !== null) return milliseconds
  throw new Failure('usage', `A time is a number with a unit like 90s, 5m, 24h or 31d, not “${text ?? ''}”`)
}

const advance: Act = async (sandbox, given) => {
  const milliseconds = time(given.get('by'))
  return stands(await sandbox.moveClock((now) => now + milliseconds))
}

const set: Act = async (sandbox, given) => {
  const to = (given.get('to') ?? '').trim()
  const moment = momentOfValidUntil(to)
  if (moment === null) throw new Failure('usage', `A moment is yyyy-MM-dd HH:mm:ss in Tbilisi time, not “${to}”`)
  return stands(await sandbox.moveClock(() => moment))
}

const add: Act = async (sandbox, given) => {
  const fault = await sandbox.faults.add({
    op: given.get('op') ?? '',
    at: oneOf(faultPlaces, given.get('at'), 'The place of a fault'),
    kind: oneOf(faultKinds, given.get('kind'), 'The kind of a fault'),
    nth: count(given, 'nth'),
    times: count(given, 'times'),
    perMille: count(given, 'perMille'),
    delay: given.get('delay') ? time(given.get('delay')) : undefined,
    above: given.get('above') || undefined,
  })
  return `The fault waits: ${fault.op}, ${fault.kind} ${fault.at} it is executed.`
}

const clear: Act = async (sandbox, given) => {
  const cleared = await sandbox.faults.clear(given.get('id') ?? undefined)
  return faultsCleared(cleared)
}

const trigger: Act = async (sandbox, given) => {
  const what = oneOf(triggers, given.get('what'), 'What happens')
  const card = what === 'paid' ? given.get('card') : null
  const amount = what === 'refunded' ? (given.get('amount') ?? '').trim() : ''
  const more = { ...(card === null ? {} : { card }), ...(amount === '' ? {} : { amount }) }
  const played = await sandbox.trigger({ what, order: given.get('order') ?? '', ...more })
  const why = played.failReason === null ? '' : `: ${played.failReason}`
  return `The order is ${played.status}${why}.`
}

const resend: Act = async (sandbox, given) => {
  const which = Number(given.get('callback') ?? Number.NaN)
  const again = { what: 'callback', order: given.get('order') ?? '', duplicate: true, which } as const
  const [sent] = (await sandbox.trigger(again)).callbacks
  if (!sent) throw new Failure('refused', 'nothing was sent')
  return sent.why === null ? `It is sent again, as callback ${sent.id}.` : `Callback ${sent.id} is ${sent.why}.`
}

const preset: Act = async (sandbox, given) => {
  const chosen = faultPresets.find(({ name }) => name === given.get('preset'))
  if (!chosen) throw new Failure('usage', `A preset is one of ${faultPresets.map(({ name }) => name).join(', ')}`)
  const { at, kind, delay } = chosen
  const { op } = await sandbox.faults.add({ op: given.get('op') ?? '', at, kind, delay })
  return `The fault waits for the next ${op}: ${chosen.promise}.`
}

/** By the end of the address. */
export const acts: Readonly<Record<string, Act>> = {
  'clock/advance': advance,
  'clock/set': set,
  'fault/add': add,
  'fault/clear': clear,
  'fault/preset': preset,
  'callback/resend': resend,
  trigger,
}
