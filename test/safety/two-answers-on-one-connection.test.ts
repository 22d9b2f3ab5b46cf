/** A gateway that sends a request twice may pass on both answers: a refusal, and behind it the answer to what was executed. */
import { expect, test } from 'vitest'
import { handDesk } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { type HandWrite, sealedWrites } from '../kit/service/hand-writes.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { bytesOf, json, type Reply } from '../kit/service/service-by-hand.ts'

/** First answers by which nothing would have moved. */
const first: Readonly<Record<string, (code: number) => string>> = {
  'a refusal': (code) => bytesOf('400 Bad Request', { message: 'no', statusCode: code, exceptionGroup: 2 }),
  'a refusal that ends its connection': (code) =>
    bytesOf('400 Bad Request', { message: 'no', statusCode: code, exceptionGroup: 2 }, 'connection: close\r\n'),
  '429 with a pause': () => bytesOf('429 Too Many Requests', {}, 'retry-after: 100\r\n'),
  '429 without a pause': () => bytesOf('429 Too Many Requests', {}, 'retry-after: 0\r\n'),
  '401': () => bytesOf('401 Unauthorized', {}),
  '307': () => bytesOf('307 Temporary Redirect', {}, 'location: https://elsewhere.example/\r\n'),
}
const forms = Object.keys(first)

/** Milliseconds between the two: in one piece with the first, or by itself. */
const pauses = [0, 50]

const nothing: Said = { plain: { status: 502, body: '<html>Bad Gateway</html>' } }

/** Each write, each first answer and each pause stands in one row at least. */
const sample = Object.entries({
  'order refund': 6130,
  'order complete': 6130,
  'order cancel': 6130,
  'order create with a card': 6130,
  'wallet finalize': 6110,
  'wallet cancel': 6040,
} as const).flatMap(([name, code], at) =>
  pauses.map((after, second) => [name, after, forms[(at + second) % forms.length] ?? '', code] as const),
)

test.each(sample)(
  '%s: an acceptance %d ms behind %s is unknown (9), now and when it is asked again',
  async (name, after, form, code) => {
    const write: HandWrite = sealedWrites[name as keyof typeof sealedWrites]
    const said: Said = { raw: first[form]?.(code) ?? '', behind: write.done, after }
    const desk = await handDesk((call) => (call.name === write.operation && call.count === 1 ? said : nothing))
    const argv = write.argv(desk.home)
    const unknown = { code: 9, stdout: '', error: { moneyMoved: 'unknown' } }
    const ended = await desk.run(...argv)
    expect(ended, ended.stdout).toMatchObject(unknown)
    const sent = desk.count(write.operation)
    expect(await desk.run(...argv)).toMatchObject(unknown)
    if (name === 'order refund') expect([sent, desk.count(write.operation)]).toEqual([1, 1])
  },
)

const taken = bytesOf('200 OK', { transactionId: 1, status: 'INITIAL' })

test.each(forms.map((form, at) => [form, pauses[at % pauses.length] ?? 0] as const))(
  'payout create: an acceptance behind %s, %d ms later, is the own payout once its id is taken (0)',
  async (form, after) => {
    const raw = first[form]?.(5038) ?? ''
    const twice: Reply = after === 0 ? { raw: raw + taken } : { raw, later: { raw: taken, after } }
    const desk = await handPayout(({ path }, count) => {
      if (path !== '/api/distributor') return undefined
      return count === 1 ? twice : json({ message: 'exists', statusCode: 5017 }, 400)
    })
    const ended = await desk.pay()
    expect(ended, ended.stderr).toMatchObject({ code: 0, json: { sumConfirmed: false } })
  },
)
