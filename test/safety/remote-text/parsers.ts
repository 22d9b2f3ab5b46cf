/** Every reader of texts that others write, fed with one text in each place where it may stand. */

import { Chalk } from 'chalk'
import { askedPause } from '../../../src/lib/backoff.ts'
import { openedRow } from '../../../src/lib/callback/entry.ts'
import { addressFor, ownHeaders } from '../../../src/lib/callback/forward.ts'
import { callbackSecrets, maskedHeaders, maskedMembers, maskedText } from '../../../src/lib/callback/mask.ts'
import { openBody, signer, verify } from '../../../src/lib/callback/open.ts'
import { pathOf } from '../../../src/lib/callback/receive.ts'
import { Redactor } from '../../../src/lib/cli/output/output.ts'
import { drawView } from '../../../src/lib/cli/output/view.ts'
import { readBearerAnswer, readRequest, readToken } from '../../../src/lib/client/bearer.ts'
import { refusalInWords } from '../../../src/lib/client/refusal.ts'
import { openRequest, readSealedAnswer, receivedMembers } from '../../../src/lib/client/sealed.ts'
import { redirectFailure } from '../../../src/lib/client/token.ts'
import { readOrderStatus } from '../../../src/lib/contract/answer.ts'
import { readCallback } from '../../../src/lib/contract/callback.ts'
import { JsonNumber, minorUnits, plainDecimal } from '../../../src/lib/contract/core/decimal.ts'
import { fieldsOf, readPayload } from '../../../src/lib/contract/core/field.ts'
import { groupedIban, hasGeorgianPattern, tidyIban } from '../../../src/lib/contract/core/iban.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import { alphabetComplaint } from '../../../src/lib/contract/core/text.ts'
import {
  isRealDashedDate,
  isRealDottedDate,
  momentOfValidUntil,
  tidyValidUntil,
} from '../../../src/lib/contract/date.ts'
import { readEdit } from '../../../src/lib/contract/edit.ts'
import { cardTokensIn, withoutSecrets } from '../../../src/lib/contract/mask.ts'
import type { Operation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import { tidy, validate } from '../../../src/lib/contract/validate.ts'
import { currencyInAddress } from '../../../src/lib/contract/wallet/wallet.ts'
import { examineBase64, readBase64 } from '../../../src/lib/envelope/base64.ts'
import { readKeyText } from '../../../src/lib/envelope/cipher.ts'
import { diagnose } from '../../../src/lib/envelope/diagnose/doctor.ts'
import { inspect, readPasted } from '../../../src/lib/envelope/diagnose/inspect.ts'
import { probeBytes, probeKeyText, probeText } from '../../../src/lib/envelope/diagnose/probe.ts'
import { seal } from '../../../src/lib/envelope/envelope.ts'
import { readKey } from '../../../src/lib/envelope/key.ts'
import { readMembers, writeMembers } from '../../../src/lib/envelope/layout.ts'
import { Failure } from '../../../src/lib/failure.ts'
import { fact, filledIn, hint, hintInWords, paste } from '../../../src/lib/hint.ts'
import { readJson, writeJson } from '../../../src/lib/json.ts'
import { Secrets } from '../../../src/lib/redact.ts'
import { readQrAddress } from '../../../src/lib/sandbox/areas/wallet.ts'
import { groupDigits } from '../../../src/lib/sandbox/checkout/fields.ts'
import { judgeVisit } from '../../../src/lib/sandbox/console/console.ts'
import { rowOf } from '../../../src/lib/sandbox/log/log.ts'
import { unknownIdentifier, unreadableBody } from '../../../src/lib/sandbox/log/reasons.ts'
import { suggestPath } from '../../../src/lib/sandbox/routes.ts'
import { shortened, visible } from '../../../src/lib/text.ts'
import { newPair } from '../../kit/envelope.ts'

export type Feed = (text: string) => unknown
type Parsers = Readonly<Record<string, Feed>>

const pair = newPair()
const named = { name: 'the test', key: pair.privateKey }
const sealTo = { identifier: 'x', scheme: 'oaep-sha256', toService: pair.publicKey, own: [pair.privateKey] } as const
const webhook = signer(`whsec_${Buffer.alloc(24, 7).toString('base64')}`, 'the test')
const nextStep = hint`See \`${paste('wallet details', fact('uniqueId'))}\`.`

const redactor = new Redactor()
redactor.hide('4f1d-secret')
const ink = new Chalk({ level: 0 })
const circumstances = { permits: new Set<never>(), orderType: null, now: 0 }

/** Errors do not matter here, only the time that the reading takes. */
function tried(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return null
  }
}

const everyField = (operation: Operation, value: unknown) =>
  Object.fromEntries(fieldsOf(operation.request).map(({ name }) => [name, value]))

const asked = { method: 'POST', path: '/', query: [] }
const exchange = { time: 0, milliseconds: 0, facts: {}, decision: null, http: null, fault: null }
const request = { method: 'POST', path: '/', query: [], headers: {} } as const
const service = { key: pair.privateKey, scheme: 'oaep-sha256' } as const

const envelopes: Parsers = {
  base64: (text) => [readBase64(text), examineBase64(text)],
  'an envelope as it is pasted': (text) => readPasted(text),
  'an envelope of four fields': (text) => readMembers({ encryptedData: text, encryptedKeys: text, aes: text }),
  'an envelope of one field': (text) => readMembers({ encryptedData: text }),
  'an envelope in a query': (text) => readPasted(`https://pay.example/?identifier=x&encryptedData=${text}&aes=true`),
  'the look at an envelope': (text) => inspect(text),
  'the look at a field': (text) => inspect(JSON.stringify({ encryptedData: text })),
  'the doctor': (text) =>
    diagnose({
      text: JSON.stringify({ ...writeMembers(seal(text, { key: pair.publicKey, scheme: 'oaep-sha256' })) }),
      keys: [named],
      publicKeys: [],
      setting: 'pkcs1',
    }),
  'the doctor, before it opens': (text) =>
    diagnose({ text, keys: [named], publicKeys: [], setting: 'oaep-sha256', check: () => [] }),
  'a key': (text) => readKey(Buffer.from(text)),
  'a key in base64': (text) => readKey(Buffer.from(Buffer.from(`-----BEGIN${text}`).toString('base64'))),
  'key and IV': (text) => readKeyText(Buffer.from(text)),
  'what came out of the cipher': (text) => [
    probeText(text),
    probeBytes(Buffer.from(text)),
    probeKeyText(Buffer.from(text)),
  ],
}

const callbacks: Parsers = {
  'a callback': async (text) => openedRow(1, 'now', await openBody(Buffer.from(text), [named]), null),
  'a callback in an envelope': (text) =>
    openBody(Buffer.from(JSON.stringify({ encryptedData: text, encryptedKeys: text, aes: true })), [named]),
  'what a callback says': (text) =>
    readCallback({ integratorOrderId: text, status: text, amount: text, cardToken: text }),
  'tokens in a text': (text) => maskedText(text),
  'tokens in a text behind a name': (text) => maskedText(`token${text}`),
  'a token in a text of it': (text) =>
    maskedText(`cardToken: ${text}`, new Secrets([`${text.slice(0, 1000)}.`, text.slice(0, 7)])),
  'tokens in members': (text) => [
    maskedMembers({ note: text, cardToken: text, value: text }),
    callbackSecrets({ cardToken: text }),
  ],
  headers: (text) =>
    maskedHeaders([
      [text, 'value'],
      ['x-card', text],
    ]),
  'headers that are sent on': (text) =>
    ownHeaders([
      ['connection', text],
      [text, text],
    ]),
  'the address of a callback': (text) => [pathOf(text), tried(() => addressFor('http://127.0.0.1/', `/?${text}`))],
  signatures: (text) =>
    verify(
      webhook,
      [
        ['webhook-id', text],
        ['webhook-timestamp', text],
        ['webhook-signature', `v1,${text}`],
      ],
      Buffer.from(text),
      0,
    ),
  'what is set in a callback': (text) => tried(() => readEdit(`status=${text}`)),
}

const words: Parsers = {
  'a failure': (text) => new Failure('refused', text).toLine(),
  'the words of the service': (text) =>
    refusalInWords({ area: 'A' }, { http: 400, statusCode: null, exceptionGroup: null, message: text }),
  'the next step': (text) => hintInWords(filledIn(nextStep, { uniqueId: text })),
  'a redirect': (text) => redirectFailure(text),
  'a message that is cut': (text) => shortened(text),
  'what stderr hides': (text) => redactor.clean(text),
  'what stderr hides in JSON': (text) => redactor.clean(`"token":"${text}`),
  'what a terminal shows': (text) => visible(text),
  'a page of facts': (text) => drawView([{ kind: 'facts', rows: [['status', text]] }], 80, ink),
  'a table': (text) => drawView([{ kind: 'table', head: ['status'], rows: [[text]], empty: '' }], 80, ink),
  'names that become one when they are hidden': (text) => maskedMembers(alikeNames(text)),
  JSON: (text) => tried(() => readJson(text)),
  'JSON, a text in it': (text) => writeJson(readJson(JSON.stringify({ a: text }))),
  'JSON, a name in it': (text) => readJson(JSON.stringify({ [text]: 1, [`${text}1`]: 2 })),
  'Retry-After': (text) => [askedPause(text, 0), askedPause(`Mon, ${text}`, 0)],
  'a token of access': (text) => [readToken({ ...request, body: null, headers: { authorization: `Bearer ${text}` } })],
}

/** As many members as a text has room for, whose names all are spellings of one secret. */
function alikeNames({ length }: string): Members {
  const letters = [...'abcdefghijklmnop']
  const spelled = (at: number) => letters.map((each, bit) => ((at >> bit) & 1 ? each.toUpperCase() : each)).join('')
  const names = Array.from({ length: Math.min(length / 24, 2 ** letters.length) }, (_, at) => [spelled(at), 1])
  return { cardToken: spelled(0), ...Object.fromEntries(names) }
}

/** Many tokens below many lists. */
function nestedTokens({ length }: string): unknown {
  let value: unknown = Array.from({ length: length / 16 }, (_, at) => `token-${at}`)
  for (let depth = 0; depth < length / 1024; depth += 1) value = [value]
  return { token: value }
}

const values: Parsers = {
  'tokens of cards below lists': (text) => cardTokensIn(nestedTokens(text)),
  'an amount': (text) => [minorUnits(text), plainDecimal(text)],
  'an IBAN': (text) => [hasGeorgianPattern(text), hasGeorgianPattern(tidyIban(text)), groupedIban(text)],
  'a date': (text) => [isRealDashedDate(text), isRealDottedDate(text)],
  'a moment': (text) => [momentOfValidUntil(text), tidyValidUntil(text)],
  'letters of a statement': (text) => alphabetComplaint(text),
  'a status': (text) => readOrderStatus(text),
  'secrets in what is kept': (text) => withoutSecrets({ [text]: text }),
  'a QR address': (text) => [
    readQrAddress(text),
    readQrAddress(`https://pay.example/?a=${text}`),
    currencyInAddress(text),
  ],
  'a card number that is typed': (text) => groupDigits(text),
  'who visits the console': (text) =>
    judgeVisit({ ...visit, host: text, origin: text, cookie: text, token: text }, 1, 'x'),
}

const visit = { peer: '127.0.0.1', method: 'POST' } as Parameters<typeof judgeVisit>[0]

const noKeys = async () => []

const ofOperations: Parsers = {
  'requests of every operation': (text) =>
    operations.map((operation) => {
      const typed = tidy(operation, everyField(operation, text))
      const number = tried(() => readPayload(operation.request, everyField(operation, new JsonNumber(text))))
      return [validate(operation, typed, circumstances).ok, number]
    }),
  'a request in plain JSON': (text) =>
    readRequest(createPayout, { ...request, body: JSON.stringify({ toIban: text }) }),
  'a body that is no JSON': (text) => unreadableBody({ body: text }),
  'a path that does not exist': (text) => [suggestPath(text, ''), suggestPath(text, '/x')],
  'an identifier that nobody has': (text) => unknownIdentifier(text),
  'a request that is no JSON': (text) => receivedMembers(createOrder, { ...request, body: text }),
  'a sealed request': (text) =>
    openRequest(createOrder, { identifier: 'x', encryptedData: text, encryptedKeys: text, aes: true }, service),
  'the log of requests': (text) =>
    rowOf({ ...exchange, operation: createOrder, asked: { ...asked, body: text } }, noKeys),
  'the log of no operation': (text) =>
    rowOf({ ...exchange, operation: null, asked: { ...asked, body: text, path: text } }, noKeys),
}

const answers: Parsers = {
  'an answer': (text) => readBearerAnswer(createPayout, {}, { ...ok, body: text }),
  'an answer, in every member': (text) =>
    readBearerAnswer(createPayout, {}, { ...ok, body: JSON.stringify({ ...everyMember(text), statusCode: 1 }) }),
  'a refusal': (text) =>
    readBearerAnswer(createPayout, {}, { ...ok, status: 400, body: JSON.stringify({ message: text }) }),
  'an answer in an envelope': (text) => {
    const body = JSON.stringify({ encryptedData: text, encryptedKeys: text, aes: true })
    return readSealedAnswer(createOrder, {}, { ...ok, body }, sealTo)
  },
}

const ok = { status: 200, headers: {} } as const
const members = ['transactionId', 'status', 'uniqueId', 'createdAt']
const everyMember = (text: string) => Object.fromEntries(members.map((name) => [name, text]))

export const parsers = Object.entries({ ...envelopes, ...callbacks, ...words, ...values, ...ofOperations, ...answers })
