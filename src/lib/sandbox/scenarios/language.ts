/** The language of scenarios: steps, each of which does one thing and may expect something. Rules only, nothing is done. */
import { compile } from '@jmespath-community/jmespath'
import { z } from 'zod'
import { momentOfValidUntil } from '../../contract/date.ts'
import { readLongTime } from '../clock/long-time.ts'
import { checkFault } from '../faults/fault.ts'
import { faultKinds, faultPlaces, faultTargets } from '../faults/kinds.ts'
import { triggers } from '../trigger/trigger.ts'
import { mentioned, wordsOf } from './words.ts'

const text = z.string().min(1)
/** Text that people write without quotes: 12.50, true. */
const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const variable = z.string().regex(/^[A-Za-z_]\w*$/, { error: 'must be a name of letters, digits and _' })

const expression = text.refine(
  (query) => {
    try {
      compile(query.replace(/\$\{[^{}]*\}/g, 'x'))
      return true
    } catch {
      return false
    }
  },
  { error: 'must be a JMESPath expression, such as "orders[0].status"' },
)

/** Stays text: what a variable stands for is known when the step is done. */
const time = scalar.refine((given) => readLongTime(given) !== null || mentioned(given).length > 0, {
  error: 'must be a time like 500ms, 90s, 5m, 24h or 31d',
})

/** Milliseconds: no timer of Node takes more. */
export const longestWait = 60 * 60_000

export const tooLong = 'must be an hour at most: `clock: { advance: … }` moves the clock without waiting'

const pause = time.refine((given) => (readLongTime(given) ?? 0) <= longestWait, { error: tooLong })

const moment = scalar.refine((given) => momentOfValidUntil(given) !== null, {
  error: 'must be yyyy-MM-dd HH:mm:ss in Tbilisi time, or ISO 8601 with a zone',
})

const pattern = text.refine(
  (given) => {
    try {
      new RegExp(given, 'u')
      return true
    } catch {
      return false
    }
  },
  { error: 'must be a regular expression' },
)

/** The value itself; or `matches` for a text, or `equals` for a value that would be taken for one of these. */
const wanted = z.union([
  z.strictObject({ matches: pattern }),
  z.strictObject({ equals: z.json() }),
  z
    .json()
    .refine((value) => !(typeof value === 'object' && value !== null && ('matches' in value || 'equals' in value)), {
      error: 'with "matches" (a regular expression) or "equals" nothing else is given',
    }),
])

const wantedOf = z.record(expression, wanted)

const expectation = z.strictObject({
  exit: z.int().min(0).max(255).optional(),
  json: wantedOf.optional(),
  error: wantedOf.optional(),
  ledger: wantedOf.optional(),
})

const commandLine = z
  .union([text, z.array(scalar).min(1)])
  .transform((given, context): readonly string[] => {
    const words = typeof given === 'string' ? wordsOf(given) : given
    if (words) return words[0] === 'paydesk' ? words.slice(1) : words
    context.addIssue({ code: 'custom', message: 'has a quote that does not end' })
    return z.NEVER
  })
  .refine((words) => words[0] !== 'sandbox' || !['run', 'start', 'reset'].includes(words[1] ?? ''), {
    error:
      'cannot run, start or reset a sandbox: one runs for the whole scenario, and `reset: true` gives it a new world',
  })

const fault = z
  .strictObject({
    op: z.enum(faultTargets as [string, ...string[]]),
    at: z.enum(faultPlaces),
    kind: z.union([z.enum(faultKinds), z.literal([401, 429]).transform((kind) => `${kind}` as const)]),
    nth: z.int().optional(),
    times: z.int().optional(),
    perMille: z.int().optional(),
    seed: z.int().optional(),
    delay: time.optional(),
    above: text.optional(),
  })
  .superRefine(({ delay, ...order }, context) => {
    try {
      // A time that is not known yet is checked when the fault is ordered: none is too short or too long by itself.
      checkFault({ ...order, ...(delay === undefined ? {} : { delay: readLongTime(delay) ?? 0 }) })
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
    }
  })

const trigger = z.strictObject({
  what: z.enum(triggers),
  order: scalar.optional(),
  subscription: scalar.optional(),
  card: scalar.optional(),
  tip: scalar.optional(),
  amount: scalar.optional(),
  duplicate: z.boolean().optional(),
  outOfOrder: z.boolean().optional(),
  set: z.array(text).optional(),
})

const clock = z.union([z.strictObject({ advance: time }), z.strictObject({ set: moment })], {
  error: 'must be { advance: <time> } or { set: <moment> }',
})

const actions = {
  run: commandLine,
  trigger,
  fault,
  clearFaults: z.literal(true, { error: 'must be true' }),
  clock,
  reset: z.literal(true, { error: 'must be true' }),
  wait: pause,
}

const actionNames = Object.keys(actions) as (keyof typeof actions)[]

const step = z
  .strictObject({
    name: text.optional(),
    ...z.object(actions).partial().shape,
    expect: expectation.optional(),
    save: z.record(variable, expression).optional(),
  })
  .superRefine((given, context) => {
    const complain = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path })
    const chosen = actionNames.filter((name) => given[name] !== undefined)
    if (chosen.length > 1) complain(`does one thing, not several: ${chosen.join(', ')}`)
    if (chosen.length === 0 && !given.expect) complain(`must have one of ${actionNames.join(', ')}, expect`)
    const speaks = given.run !== undefined || given.trigger !== undefined
    if (given.save && !speaks) complain('belongs to `run` or `trigger`', 'save')
    if (given.expect?.json && !speaks) complain('belongs to `run` or `trigger`', 'expect', 'json')
    for (const name of ['exit', 'error'] as const) {
      if (given.expect?.[name] !== undefined && !given.run) complain('belongs to `run`', 'expect', name)
    }
  })

export const scenarioRules = z.strictObject({
  scenario: text,
  variables: z.record(variable, scalar).optional(),
  steps: z.array(step).min(1, { error: 'must have at least one step' }),
})

export type StepFields = z.output<typeof step>
export type Expectation = z.output<typeof expectation>
export type WantedAnswer = z.output<typeof wanted>
export type ScenarioText = z.output<typeof scenarioRules>
