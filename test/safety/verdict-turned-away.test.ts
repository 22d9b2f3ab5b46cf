/** 401, 429, 307 and 308 are believed over nothing, a page and the error shape. Any other body beneath them may be the answer to what was executed. */
import { writeJson } from '../../src/lib/json.ts'
import { handOrder, type Said } from '../kit/service.ts'
import { number, plain, row, success, testVerdicts, writes } from '../kit/verdict.ts'

const statuses = [429, 401, 307, 308]
const accepted = writes['order refund'].done
const noise = Buffer.alloc(64).toString('base64')
const coded = (code: number, group: number) => ({
  ...{ message: 'no', statusCode: number(code), exceptionGroup: number(group) },
})
const text = (status: number, body: string): Said => ({ plain: { status, body } })
/** Ends with its connection: what follows may be lost. */
const endless = (status: number, body: string): Said => ({ plain: { status, headers: { location: '/x' }, body } })

/** Bodies that may tell of a refund that was executed. */
const contrary = (status: number): Readonly<Record<string, Said>> => ({
  'a sealed acceptance': { status, value: accepted },
  'a sealed acceptance in a value': { status, value: { value: accepted } },
  'a sealed acceptance with a message': { status, value: { ...accepted, message: 'Done' } },
  'a sealed acceptance of another id': { status, value: { ...accepted, integratorOrderId: 'x' } },
  'an acceptance in the clear': plain(accepted, status),
  'an acceptance that names no status': plain({ integratorOrderId: handOrder, message: 'OK' }, status),
  'a status that is done, and no id': plain({ status: 'REFUND_REQUESTED', message: 'OK' }, status),
  'an id beside a message in a value': plain({ integratorOrderId: handOrder, value: { message: 'OK' } }, status),
  'an envelope that does not open': plain({ encryptedData: noise, encryptedKeys: noise, aes: true }, status),
  'half an envelope': text(status, '{"encryptedData":"AAAA'),
  'a sealed {}': { status, value: {} },
  'a list': plain([], status),
  'members that say nothing': plain({ ok: true }, status),
  text: text(status, 'accepted'),
  'a code that may come after the execution': plain(coded(6014, 6), status),
  'that code in other capitals': plain({ message: 'no', StatusCode: number(6014), ExceptionGroup: number(6) }, status),
  'that code as a code': plain({ message: 'no', code: '6014' }, status),
  'that code in an envelope': { status, value: coded(6014, 6) },
  'a code of group 4': plain(coded(6999, 4), status),
  'group 7 and no code': plain({ message: 'no', exceptionGroup: number(7) }, status),
  'a code that is in no list': plain({ message: 'no', statusCode: number(6999) }, status),
  'two codes': plain({ ...coded(6017, 2), StatusCode: number(6007) }, status),
  'two codes in its errors': plain({ message: 'no', errors: [{ statusCode: number(6038) }, coded(5040, 7)] }, status),
  'a code of success': plain({ message: 'OK', statusCode: number(200) }, status),
  'a Status in capitals': plain({ message: 'accepted', Status: 'REFUND_REQUESTED' }, status),
  'the acceptance in its data': plain({ message: 'accepted', data: accepted }, status),
  'the acceptance in its error': plain({ error: accepted, message: 'accepted' }, status),
  'the status of a part': plain({ message: 'done', status: 'PARTIALLY_REFUNDED' }, status),
  'a status in small letters': plain({ message: 'done', status: 'success' }, status),
  'the old spelling of a status': plain({ message: 'done', status: 'CANCELLED' }, status),
  'a word that affirms': plain({ message: 'done', status: 'OK' }, status),
  'a status of success': plain({ message: 'done', status: number(200) }, status),
  'a sum': plain({ message: 'accepted', amount: number(5) }, status),
  'a status of error': plain({ status: 'error', message: 'Not now' }, status),
  'errors in a list': plain({ errors: [{ message: 'Not now' }] }, status),
  'an error in an object': plain({ error: { code: 'rate', message: 'Not now' } }, status),
  'a sealed code': { status, value: { statusCode: number(6017), message: 'No' } },
  'a refusing code in a value': plain({ value: coded(6017, 2) }, status),
  'a word of errors': plain({ Message: 'No', Status: 'UNAUTHORIZED', Code: 'rate_limited' }, status),
  'a member that no error has': plain({ message: 'No', success: false }, status),
  'a TransactionId': plain({ message: 'accepted', TransactionId: number(4711) }, status),
  'a transaction_id': plain({ message: 'accepted', transaction_id: number(4711) }, status),
})

/** Bodies beneath which the status is believed. */
const turning = (status: number): Readonly<Record<string, Said>> => ({
  nothing: text(status, ''),
  '{}': text(status, '{}'),
  'a page': text(status, '  <html><body>Sorry</body></html>'),
  'a message': plain({ message: 'Not now' }, status),
  'an error of Spring': plain({ timestamp: '2026', status: number(status), error: 'No', path: '/api' }, status),
  'a problem (RFC 9457)': plain({ type: 'about:blank', title: 'No', status: number(status), detail: 'later' }, status),
  'a refusing code': plain(coded(6017, 2), status),
  'its own number as a code': plain({ statusCode: number(status), message: 'Try again in 5 seconds.' }, status),
  'the keys that were recorded': plain(
    {
      ...{ application_name: null, method_name: null, exception_name: null, status: null, timestamp: null },
      message: 'Authentication failed',
    },
    status,
  ),
  'a message and ids of its trace': plain({ message: 'No', traceId: 'a1', request_id: 'b2', data: null }, status),
  'an error of OAuth': plain({ error: 'invalid_token', error_description: 'expired' }, status),
  'a code of credentials': plain(coded(6004, 5), status),
  'a request that did not open': plain(coded(6010, 6), status),
})

testVerdicts(
  statuses.flatMap((status) => [
    ...Object.entries(contrary(status)).map(([body, said]) =>
      row('order refund', `${status} with ${body}`, said, 'unknown'),
    ),
    ...Object.entries(turning(status)).map(([body, said]) =>
      row('order refund', `${status} with ${body}`, said, 'turned away'),
    ),
    ...['', ' ', '<htm'].map((body) =>
      row('payout create', `${status} with ${JSON.stringify(body)} and no length`, endless(status, body), 'unknown'),
    ),
    row('payout create', `${status} with a whole {} and no length`, endless(status, '{}'), 'turned away'),
    row(
      'payout create',
      `${status} in chunks, with nothing`,
      { plain: { status, headers: { 'transfer-encoding': 'chunked' }, body: '' } },
      'turned away',
    ),
    row(
      'payout create',
      `${status} with its acceptance`,
      success('payout create', writes['payout create'].done, status),
      'unknown',
    ),
    row(
      'payout create',
      `${status} with 5017`,
      plain({ message: 'Duplicate', statusCode: number(5017) }, status),
      'taken',
    ),
    row('order create', `${status} with 6023`, plain(coded(6023, 2), status), 'taken'),
    row('order create', `${status} with a sealed 6023`, { status, value: coded(6023, 2) }, 'unknown'),
  ]),
)

const inErrors = plain({ message: 'no', errors: [{ statusCode: number(6038) }, coded(5040, 7)] }, 401)
const revoked = [{}, { status: 'CANCELED' }, { status: 'CANCELED', message: 'OK' }, { subscriptionId: handOrder }]

testVerdicts([
  ...(['order complete', 'order create', 'wallet finalize'] as const).map((name) =>
    row(name, '401 with two codes in its errors', inErrors, 'unknown'),
  ),
  ...revoked.map((value) =>
    row('subscription revoke', `401 with a sealed ${writeJson(value)}`, { status: 401, value }, 'unknown'),
  ),
  row(
    'payout create',
    '429 with a TransactionId',
    plain({ message: 'accepted', TransactionId: number(4711), Status: 'INITIAL' }, 429),
    'unknown',
  ),
  row('payout create', '401 with 5021', plain({ message: 'no', statusCode: number(5021) }, 401), 'turned away'),
])
