/** Received callbacks, as `--json` prints them. */
import { z } from 'zod'
import { schemes } from '../envelope/scheme.ts'
import { jsonAmount, utcMoment, warningTexts } from '../result.ts'
import { forwardStates, outcomes } from './forward.ts'

const forwardOutcome = z
  .enum(outcomes)
  .describe(
    '`delivered`: 2xx. `refused`: another answer. `unanswered`: sent, and no whole answer came. `unsent`: not reached.',
  )

export const callbackEntryResult = z
  .strictObject({
    callbackId: z.string().regex(/^cb-[0-9a-f]{12}$/),
    receivedAt: utcMoment,
    profile: z.string().nullable().describe('The profile of the listener.'),
    how: z
      .enum(['sealed', 'plain', 'unopened', 'unreadable'])
      .nullable()
      .describe(
        '`unopened`: an envelope that no private key fits. `unreadable`: neither an envelope nor a JSON object. Null until it was looked at.',
      ),
    scheme: z.enum(schemes).nullable().describe('How it was sealed.'),
    why: z
      .string()
      .nullable()
      .describe('Why it could not be opened or read, or which members are not what they should be.'),
    kind: z.enum(['payment', 'subscription', 'unknown']).nullable(),
    integratorOrderId: z.string().nullable(),
    transactionId: z.string().nullable().describe('Text: it may exceed 2^53.'),
    subscriptionId: z.string().nullable(),
    status: z.string().nullable().describe('As the callback says; a hint.'),
    amount: jsonAmount.nullable(),
    currency: z.string().nullable().describe('initialCurrency.'),
    duplicateOf: z
      .string()
      .nullable()
      .describe('The first callback that said the same: same bytes, or same order, transaction, status and amount.'),
    signature: z.string().nullable().describe('`valid`, or why not; null where no secret was set.'),
    bytes: z.int().min(0).describe('Of the body.'),
    forward: z.enum(forwardStates).nullable().describe('Null where it was received without --forward-to.'),
    next: z.string().nullable().describe('The command that reads how it really is.'),
  })
  .meta({ title: 'A callback of the service' })
  .describe('A callback is a hint: nobody vouches for what it says. Tokens of cards are hidden.')

export const callbackListResult = z.array(callbackEntryResult).describe('The newest first.')

export const listenerReady = z.strictObject({
  event: z.literal('ready'),
  url: z.string().describe('What the service has to call.'),
  pid: z.int(),
  forwardTo: z.string().nullable(),
  waiting: z.int().describe('Callbacks of earlier listeners that still wait for that target.'),
  warnings: warningTexts,
})

const callbackArrived = z.strictObject({
  ...callbackEntryResult.shape,
  event: z.literal('callback'),
})

export const callbackForwarded = z.strictObject({
  event: z.literal('forward'),
  outcome: forwardOutcome,
  http: z.int().nullable().describe('HTTP status.'),
  why: z.string().nullable().describe('What the target said, or why it said nothing.'),
  callbackId: z.string(),
  target: z.string(),
  tries: z.int().min(1),
  again: z.int().nullable().describe('Milliseconds until the next try; null where there is none.'),
})

export const targetChanged = z.strictObject({
  event: z.literal('target'),
  target: z.string(),
  state: z
    .enum(['down', 'back', 'itself'])
    .describe(
      '`down`: not reached, or not answered ten times in a row. `itself`: what is sent there comes back to this listener.',
    ),
  why: z.string().nullable(),
  waiting: z.int(),
})

export const callbackRefused = z.strictObject({
  event: z.literal('refused'),
  method: z.string(),
  target: z.string().describe('Path and query; tokens of cards are hidden.'),
  status: z.literal([400, 403, 404, 405, 413, 421, 503]),
  why: z.string(),
})

export const callbackEventResult = z
  .discriminatedUnion('event', [listenerReady, callbackArrived, callbackForwarded, targetChanged, callbackRefused])
  .describe('One line per event, `ready` first; the command ends with 130 or 143 when it is stopped.')

export const callbackWholeResult = z.strictObject({
  ...callbackEntryResult.shape,
  request: z.strictObject({
    remote: z.string().describe('Address and port it came from.'),
    method: z.string(),
    target: z.string().describe('Path and query; tokens of cards are hidden.'),
    headers: z
      .array(
        z.strictObject({
          name: z.string(),
          value: z.string(),
        }),
      )
      .describe('As they came; those that hold secrets are hidden.'),
    sha256: z.string().describe('Of the body, in hex.'),
    beginning: z.string().nullable().describe('The first characters of a body that cannot be read.'),
  }),
  fields: z
    .looseObject({
      receiverId: z.string().nullable().optional(),
      receiverType: z.string().nullable().optional(),
      integratorId: z.string().nullable().optional(),
      integratorOrderId: z.string().nullable().optional(),
      amount: jsonAmount.nullable().optional(),
      status: z.string().nullable().optional(),
      initialCurrency: z.string().nullable().optional(),
      acquiringCurrency: z.string().nullable().optional(),
      acquiringAmount: jsonAmount.nullable().optional(),
      transactionId: z.string().nullable().optional(),
      toIban: z.string().nullable().optional(),
      cardInfo: z
        .looseObject({
          cardToken: z.string().nullable().optional(),
          provider: z.string().nullable().optional(),
          cardMask: z.string().nullable().optional(),
          expirationDate: z.string().nullable().optional(),
          cardBrand: z.string().nullable().optional(),
        })
        .nullable()
        .optional()
        .describe('Its token is hidden.'),
      subscriptionId: z.string().nullable().optional(),
      historyId: z.string().nullable().optional(),
    })
    .nullable()
    .describe('What it says; members that are not listed here are kept. Null where it cannot be read.'),
  deliveries: z
    .array(
      z.strictObject({
        target: z.string(),
        state: z.enum(forwardStates),
        tries: z.int().min(0),
        due: z
          .string()
          .nullable()
          .describe('When it is tried next; null where it is not, or goes as soon as the target can be reached.'),
      }),
    )
    .describe('Where the listener forwards it to.'),
  attempts: z
    .array(
      z.strictObject({
        by: z.enum(['forward', 'replay']),
        outcome: forwardOutcome,
        startedAt: utcMoment,
        edited: z.boolean(),
        target: z.string(),
        milliseconds: z.int(),
        http: z.int().nullable().describe('HTTP status.'),
        why: z.string().nullable().describe('What the target said, or why it said nothing.'),
      }),
    )
    .describe('The first one first.'),
  warnings: warningTexts.describe('Of the keys that it was opened with.'),
})

export const callbackRawResult = z
  .strictObject({
    callbackId: z.string(),
    body: z.string().describe('As text; tokens and whole numbers of cards are hidden unless --insecure-show-tokens.'),
    base64: z.string().nullable().describe('The exact bytes; null where tokens are hidden.'),
    hidden: z.boolean(),
  })
  .meta({ title: 'with --raw' })

export const callbacksReplayedResult = z
  .array(
    z.strictObject({
      callbackId: z.string(),
      target: z.string(),
      edited: z.boolean(),
      outcome: z.literal('delivered'),
      http: z.int(),
      milliseconds: z.int(),
      warnings: warningTexts,
    }),
  )
  .describe('In the order they were sent. One that was not taken is a failure: 5, 9 or 11.')
