/** The eighty-one answers of the fault table. Their meaning for a write stands in `meaning.ts`. */
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  type Answer,
  anotherId,
  byCode,
  indefinite,
  json,
  ok,
  redirect,
  refusalIn,
  refusing,
  said,
  turnedAwayWithSuccess,
  unreadableSum,
  withError,
  withMore,
  withStatus,
  withSum,
} from './answer.ts'
import { coded, plain, type Reply, type Saying } from './service.ts'

const page = '<html><body>Sorry</body></html>'

const transport: readonly Answer[] = [
  { name: 'connection refused', is: { is: 'unsent' }, say: 'refused' },
  indefinite('connection reset', said('reset')),
  indefinite('no answer in time', said('hang')),
  indefinite('closed without a byte', said('close')),
  indefinite('half a body', ({ success, sealed }) => ({
    http: 200,
    headers: json,
    body: sealed(success),
    cutAfter: 20,
  })),
]

const unreadable: readonly Answer[] = [
  indefinite(
    'JSON cut short',
    ok(({ success, sealed }) => sealed(success).slice(0, -9)),
  ),
  indefinite(
    'bytes that are no text',
    ok(() => randomBytes(200)),
  ),
  indefinite(
    'a page with 200',
    ok(() => page, { 'content-type': 'text/html' }),
  ),
  { name: '204', is: { is: 'empty' }, say: said({ http: 204 }) },
  { name: '200 without a body', is: { is: 'empty' }, say: said({ http: 200 }) },
  indefinite('200 {}', said(plain(200, {}))),
  indefinite('200 null', said(plain(200, null))),
  indefinite('200 with a list', said(plain(200, []))),
  indefinite(
    'a success of 9 MiB',
    ok(({ success, sealed }) => `${sealed(success).slice(0, -1)},"filler":"${'x'.repeat(9 * 2 ** 20)}"}`),
  ),
  indefinite(
    'a success in gzip that was not asked for',
    ok(({ success, sealed }) => gzipSync(sealed(success)), { ...json, 'content-encoding': 'gzip' }),
  ),
  indefinite(
    'a success with a member twice',
    ok(({ success, sealed }) => {
      const [first = ''] = Object.keys(JSON.parse(sealed(success)) as object)
      return `{"${first}":"another",${sealed(success).slice(1)}`
    }),
  ),
  {
    name: 'a success that calls itself HTML',
    is: { is: 'success' },
    say: ok(({ success, sealed }) => sealed(success), { 'content-type': 'text/html' }),
  },
]

const sealedWrong: readonly Answer[] = [
  indefinite(
    'an envelope of noise',
    ok(() => {
      const noise = (bytes: number) => randomBytes(bytes).toString('base64')
      return JSON.stringify({ encryptedData: noise(64), encryptedKeys: noise(256), aes: true })
    }),
  ),
  indefinite(
    'an envelope whose data was changed on the way',
    ok(({ write, success, sealed }) => {
      if (write.area === 'A') return JSON.stringify({ value: Buffer.from(sealed(success)).toString('base64') })
      const envelope = JSON.parse(sealed(success)) as { encryptedData: string }
      return JSON.stringify({ ...envelope, encryptedData: `AAAA${envelope.encryptedData.slice(4)}` })
    }),
  ),
  {
    name: 'a success in the clear, wrapped in "value"',
    is: { is: 'unsealed' },
    say: ok(({ success }) => JSON.stringify({ value: success })),
  },
  { name: 'a success {}', is: { is: 'hollow' }, say: ok(({ sealed }) => sealed({})) },
  {
    name: 'a success of another id',
    is: { is: 'foreign' },
    say: ok(({ write: { echo }, success, sealed }) =>
      sealed({ ...success, ...(echo === null ? {} : { [echo]: anotherId }) }),
    ),
  },
  {
    name: 'a success without its id',
    is: { is: 'nameless' },
    say: ok(({ write: { echo }, success, sealed }) =>
      sealed(Object.fromEntries(Object.entries(success).filter(([name]) => name !== echo))),
    ),
  },
]

const statuses: readonly Answer[] = [
  {
    name: 'a success without its status',
    is: { is: 'status', status: null },
    say: ok(({ success, sealed }) =>
      sealed(Object.fromEntries(Object.entries(success).filter(([name]) => name !== 'status'))),
    ),
  },
  ...['NONSENSE', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELED', 'REFUNDED_FAILED', 'REJECTED', 'DELETED'].map(withStatus),
  ...['ALREADY_FINALISED', 'ORDER_NOT_FOUND', 'WRONG_AMOUNT'].map(withStatus),
]

const sums: readonly Answer[] = [
  withSum('a success of another amount', 'amount', 9999),
  withSum('a success of an amount that cannot be read', 'amount', unreadableSum),
  withSum('a success in another currency', 'currency', 'EUR'),
  withSum('a success to another IBAN', 'toIban', 'GE60NB0000000123456789'),
]

const errors: readonly Answer[] = [
  withError('a success with an error message and its code', { errorMessage: 'declined', errorCode: 5038 }),
  withMore('a success that says that it is none', { is_success: false }),
  withError('a success with the group of an error', { exceptionGroup: 1 }),
  withMore('a success with the reason for which it was rejected', { rejectReason: 'blocked' }),
]

const codes: readonly Answer[] = [
  {
    name: 'a refusing code among the members of a success',
    is: { is: 'coded', codes: refusing, http: 200, besideSuccess: 'among' },
    say: ok((saying) => saying.sealed(refusalIn(saying.success, saying))),
  },
  {
    name: 'a refusing code beside a success',
    is: { is: 'coded', codes: refusing, http: 200, besideSuccess: 'sealed' },
    say: ok((saying) => {
      const body = JSON.parse(saying.sealed(saying.success)) as object
      return JSON.stringify(refusalIn(saying.write.area === 'A' ? { value: body } : body, saying))
    }),
  },
  {
    name: 'a refusing code in the result of a success',
    is: { is: 'more' },
    say: ok((saying) => saying.sealed({ ...saying.success, result: refusalIn({}, saying) })),
  },
  withMore('an error in the data of a success', { data: { error: 'declined', status: 'REJECTED' } }),
  indefinite('a refusing code, and another one in its errors', (saying) => {
    const late = saying.write.area === 'A' ? { statusCode: 5040 } : { statusCode: 6054, exceptionGroup: 6 }
    return plain(400, refusalIn({ errors: [{ message: 'executed, then late', ...late }] }, saying))
  }),
  indefinite('a refusing code beside an envelope that does not open', (saying) =>
    plain(400, refusalIn({ encryptedData: 'QUFBQQ==', encryptedKeys: 'QUFBQQ==', aes: true }, saying)),
  ),
  byCode('a refusal with 200', { inA: 5047, elsewhere: [6022, 3] }, 200),
  byCode('a refusal of the arguments (5042; 6053, group 1)', refusing),
  byCode('a refusal by a rule (5038; 6017, group 2)', { inA: 5038, elsewhere: [6017, 2] }),
  byCode('a missing permission or a limit (5045; 6031, group 3)', { inA: 5045, elsewhere: [6031, 3] }),
  byCode('an unknown object (5041; 6005, group 5)', { inA: 5041, elsewhere: [6005, 5] }),
  byCode('an unknown client (5003; 6004, group 5)', { inA: 5003, elsewhere: [6004, 5] }),
  byCode('a request that was not readable (5043; 6010, group 6)', { inA: 5043, elsewhere: [6010, 6] }, 500),
  byCode('a limit, or an envelope that does not open (5046; 6013, group 6)', { inA: 5046, elsewhere: [6013, 6] }, 500),
  byCode('a failure of the service (5040; 6009, group 6)', { inA: 5040, elsewhere: [6009, 6] }, 500),
  byCode('an invalid IBAN, or a general failure (5023; 6054, group 6)', { inA: 5023, elsewhere: [6054, 6] }, 500),
  byCode('an unknown code without a group', { inA: 5998, elsewhere: [6998, null] }),
  byCode('500 with an unknown code of group 1', { inA: 5999, elsewhere: [6999, 1] }, 500),
  byCode('500 with an unknown code of group 4', { inA: 5999, elsewhere: [6999, 4] }, 500),
  byCode('500 with an unknown code of group 7', { inA: 5999, elsewhere: [6999, 7] }, 500),
  { name: 'the id is taken (5017; 6023; ALREADY_FINALISED)', is: { is: 'duplicate' }, say: duplicate },
]

function duplicate({ write, success, sealed }: Saying): Reply {
  if (write.area === 'A') return coded(400, 5017, null)
  if (write.name !== 'wallet finalize') return coded(409, 6023, 2)
  return { http: 200, headers: json, body: sealed({ ...success, status: 'ALREADY_FINALISED' }) }
}

const doors: readonly Answer[] = [
  indefinite('500 without a code', said(plain(500, { status: 500, error: 'Internal Server Error' }))),
  indefinite('a page with 502', said({ http: 502, headers: { 'content-type': 'text/html' }, body: page })),
  indefinite('503', said({ http: 503, body: '' })),
  indefinite('503 with Retry-After', said({ http: 503, headers: { 'retry-after': '2' }, body: '' })),
  { name: '401', is: { is: 'turned-away', by: 'token' }, say: said(plain(401, { message: 'Authentication failed' })) },
  { name: '5021', is: { is: 'bad-token' }, say: said(coded(400, 5021, null)) },
  { name: '429', is: { is: 'turned-away', by: 'rate' }, say: said({ http: 429, body: '' }) },
  {
    name: '429 with Retry-After',
    is: { is: 'turned-away', by: 'rate' },
    say: said({ http: 429, headers: { 'retry-after': '2' }, body: '' }),
  },
  indefinite('301 or 302', (saying) => redirect(saying.write.area === 'A' ? 301 : 302)(saying)),
  indefinite('303', redirect(303)),
  { name: '307', is: { is: 'turned-away', by: 'redirect' }, say: redirect(307) },
  { name: '308', is: { is: 'turned-away', by: 'redirect' }, say: redirect(308) },
  ...[401, 429, 307, 308].map(turnedAwayWithSuccess),
  indefinite('429 with a text', said({ http: 429, headers: { 'content-type': 'text/plain' }, body: 'accepted' })),
]

export const answers: readonly Answer[] = [
  ...transport,
  ...unreadable,
  ...sealedWrong,
  ...statuses,
  ...sums,
  ...errors,
  ...codes,
  ...doors,
]
