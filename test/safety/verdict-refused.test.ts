/** A refusing code is believed in the plain error shape alone: beside anything else it proves nothing. */
import { expect, test } from 'vitest'
import { writeJson } from '../../src/lib/json.ts'
import { foreignOrder, handOrder, type Said } from '../kit/service.ts'
import {
  type Members,
  number,
  type Outcome,
  plain,
  type Row,
  row,
  testVerdicts,
  verdictOn,
  type WriteName,
  writes,
} from '../kit/verdict.ts'

const names = Object.keys(writes) as WriteName[]

const coded = (code: number, group: number): Members => ({
  ...{ message: 'no', statusCode: number(code), exceptionGroup: number(group) },
})

function besideSuccess(name: WriteName): readonly Row[] {
  const { done, refusal } = writes[name]
  const error = coded(...refusal)
  const answers: readonly (readonly [answer: string, said: Said])[] = [
    ['in the clear, beside the members of a success', plain({ ...done, ...error }, 200)],
    ['with HTTP 400, beside a success in its data', plain({ ...error, data: done })],
    ...(name === 'payout create'
      ? []
      : ([
          ['sealed, beside the members of a success', { value: { ...done, ...error } }],
          ['sealed in a value with a success', { value: { value: { ...done, ...error } } }],
          ['sealed beside a success in a value', { value: { value: done, ...error } }],
        ] as const)),
  ]
  return answers.map(([answer, said]) => row(name, `a refusing code ${answer}`, said, 'unknown'))
}

function alone(name: WriteName): readonly Row[] {
  const error = coded(...writes[name].refusal)
  return [
    row(name, 'a refusing code with HTTP 400', plain(error), 'refused'),
    row(name, 'a refusing code with HTTP 200', plain(error, 200), 'refused'),
    row(name, 'a refusing code in a value', plain({ value: error }, 200), 'unknown'),
    ...(name === 'payout create'
      ? []
      : [row(name, 'a sealed refusing code with HTTP 400', { status: 400, value: error }, 'unknown')]),
  ]
}

testVerdicts(names.flatMap((name) => [...alone(name), ...besideSuccess(name)]))

const refusal = coded(6038, 3)
const sealedText = { encryptedData: 'QUFBQQ==', encryptedKeys: 'QUFBQQ==', aes: true }
const late = { ...coded(5040, 7), message: 'timeout after execution' }

/** What stands beside a refusing code. */
const beside: Readonly<Record<string, readonly [Said, Outcome]>> = {
  'another code in a list of errors': [plain({ ...refusal, errors: [late] }), 'unknown'],
  'another code deep in its details': [plain({ ...refusal, details: { causes: [{ cause: late }] } }), 'unknown'],
  'another group in an error': [plain({ ...refusal, errors: [{ exceptionGroup: number(7) }] }), 'unknown'],
  'a group as text that proves nothing': [plain({ ...refusal, exceptionGroup: '7' }), 'unknown'],
  'an envelope that does not open': [plain({ ...refusal, ...sealedText }), 'unknown'],
  'an envelope in capitals': [plain({ ...refusal, EncryptedData: 'QUFBQQ==', EncryptedKeys: 'QUFBQQ==' }), 'unknown'],
  'an envelope in another member': [plain({ ...refusal, response: sealedText }), 'unknown'],
  'an envelope that holds no error': [
    {
      ...{ value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' }, clear: refusal },
      ...{ status: 400 },
    },
    'unknown',
  ],
  'HTTP 206, the status of a part': [plain(refusal, 206), 'unknown'],
  'the same code in a list of errors': [
    plain({ ...refusal, errors: [{ ...refusal, message: 'the same' }] }),
    'unknown',
  ],
  'its group as text': [plain({ ...refusal, exceptionGroup: '3' }), 'unknown'],
  'an envelope that holds the same error': [{ value: refusal, clear: refusal, status: 400 }, 'unknown'],
}

testVerdicts([
  ...(['order refund', 'order complete', 'order create', 'wallet finalize'] as const).flatMap((name) =>
    Object.entries(beside).map(([what, [said, outcome]]) => row(name, `a refusing code with ${what}`, said, outcome)),
  ),
  row(
    'payout create',
    'a refusing code with another code in a list of errors',
    plain({ ...coded(5038, 0), errors: [{ statusCode: number(5040), message: 'executed, then late' }] }),
    'unknown',
  ),
  row(
    'order create',
    'a refusing code beside an envelope with a success that reports an error',
    { value: { ...writes['order create'].done, error: 'late' }, clear: coded(6022, 3) },
    'unknown',
  ),
])

/** A code that refuses in the area. */
const ofAnother: Partial<Record<WriteName, number>> = {
  ...{ 'order refund': 6130, 'order complete': 6130, 'order cancel': 6130, 'order create with a card': 6130 },
  ...{ 'wallet finalize': 6110, 'wallet cancel': 6040 },
}

testVerdicts([
  ...Object.entries(ofAnother).flatMap(([each, code]) => {
    const name = each as WriteName
    const id = name.startsWith('wallet') ? 'uniqueId' : 'integratorOrderId'
    const error = coded(code, 2)
    return [
      row(name, 'a refusal of another id', plain({ ...error, [id]: foreignOrder }), 'unknown'),
      row(
        name,
        'a refusal of another id in capitals',
        plain({ ...error, [id.toUpperCase()]: foreignOrder }),
        'unknown',
      ),
      row(name, 'a refusal of another id in a value', plain({ ...error, value: { [id]: foreignOrder } }), 'unknown'),
      row(name, 'a sealed refusal of another id', { value: { ...error, [id]: foreignOrder } }, 'unknown'),
      row(name, 'a refusal that names its own id', plain({ ...error, [id]: handOrder }), 'unknown'),
    ]
  }),
  row('payout create', 'a refusal of another id', plain({ ...coded(5038, 0), uniqueId: foreignOrder }), 'unknown'),
])

const nested = (depth: number, inmost: Members): Members =>
  depth === 0 ? inmost : { result: nested(depth - 1, inmost) }

const traces: readonly (readonly [Members, Outcome])[] = [
  [{ transactionId: number(4711) }, 'unknown'],
  [{ value: writes['payout create'].done }, 'unknown'],
  [{ status: 'PENDING' }, 'unknown'],
  [{ data: { transaction_id: '4711' } }, 'unknown'],
  [{ transactionId: ' 4711 ' }, 'unknown'],
  [{ transactionId: '004711' }, 'unknown'],
  [{ transactionId: 'T-4711' }, 'unknown'],
  [nested(5, { transactionId: number(4711) }), 'unknown'],
  [nested(40, { status: 'PENDING' }), 'unknown'],
  [{ transactionId: null }, 'refused'],
  [{ transactionId: number(0) }, 'unknown'],
  [{ status: number(400) }, 'refused'],
  [{ status: 'FAILED' }, 'unknown'],
  [{ data: [] }, 'unknown'],
  [{ data: null, timestamp: '2026', path: '/api/distributor' }, 'refused'],
]

testVerdicts(
  traces.map(([more, outcome]) => {
    const text = writeJson(more)
    const words = text.length > 80 ? `a status ${text.split('result').length - 1} objects deep` : text
    return row('payout create', `a refusal with ${words}`, plain({ ...coded(5045, 0), ...more }), outcome)
  }),
)

/** A refusing code, statuses that say that the write was done, and those that do not. */
const statuses: readonly (readonly [WriteName, number, readonly string[], readonly string[]])[] = [
  ['payout create', 5038, ['SUCCESS', 'success', ' SUCCESS ', 'Pending', 'INITIAL'], ['FAILED', 'rejected', 'ERROR']],
  [
    'order refund',
    6095,
    ['PARTIALLY_REFUNDED', 'REFUNDED_BY_INTEGRATOR', 'REFUND_REQUESTED', 'refund_requested'],
    ['REFUNDED_FAILED', 'FAILED', 'ERROR'],
  ],
  ['order cancel', 6001, ['CANCELED', 'CANCELLED', 'canceled'], ['EXPIRED', 'INITIAL', 'ERROR']],
  ['order complete', 6001, ['SUCCESS', 'Success'], ['WAITING_FOR_CONFIRM', 'CANCELED', 'ERROR']],
  ['wallet finalize', 6101, ['SUCCESS', 'ALREADY_FINALISED', 'already_finalised'], ['REGISTERED', 'FAILED', 'ERROR']],
]

testVerdicts(
  statuses.flatMap(([name, code, done, others]) => {
    const of = (more: Members, outcome: Outcome) =>
      row(name, `the code ${code} with ${writeJson(more)}`, plain({ ...coded(code, 1), ...more }), outcome)
    return [
      of({}, 'refused'),
      ...done.map((status) => of({ status }, 'unknown')),
      ...others.map((status) => of({ status }, 'unknown')),
      ...[{ success: true }, { Ok: 'true' }, { transactionId: number(4711) }].map((more) => of(more, 'unknown')),
      ...[{ success: false }, { transactionId: number(0) }].map((more) => of(more, 'unknown')),
      of({ transactionId: null, traceId: 'a1' }, 'refused'),
    ]
  }),
)

testVerdicts(
  ['WRONG_AMOUNT', 'RECEIVER_REACHED_LIMIT'].flatMap((status) => {
    const refused = { uniqueId: handOrder, status }
    const more = [{ success: true }, { transactionId: number(4711) }, { order: { status: 'SUCCESS' } }]
    return [
      row('wallet finalize', `the status ${status}`, { value: refused }, 'refused'),
      ...more.map((each) =>
        row(
          'wallet finalize',
          `the status ${status} with ${writeJson(each)}`,
          { value: { ...refused, ...each } },
          'unknown',
        ),
      ),
    ]
  }),
)

test('wallet create: the status REJECTED is refused for the reason that stands beside it', async () => {
  const value = { ...writes['wallet create'].done, status: 'REJECTED', rejectReason: 'blocked' }
  expect(await verdictOn('wallet create', { value })).toMatchObject({ kind: 'refused', words: { message: 'blocked' } })
})
