import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { listed, listening, payment, post, sealed, token } from '../../kit/callback.ts'
import { newScene } from '../../kit/envelope.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'

async function received(
  home: string,
  body: unknown,
  headers: Record<string, string> = {},
  query = '',
): Promise<string> {
  const { url, stop } = await listening({ home })
  await post(`${url}${query}`, body, headers)
  await stop()
  return String((await listed(home))[0]?.callbackId)
}

test('callback show: a stored callback that is nested too deep is shown as unreadable, and the list still works', async () => {
  const home = newHome()
  const id = await received(home, payment)
  const database = new DatabaseSync(join(home, 'callbacks', 'callbacks.db'))
  database.prepare('update opened set fields = ?').run(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)
  database.close()
  const unreadable = { callbackId: id, how: 'unreadable', why: expect.stringContaining('too deep') }
  expect(await listed(home)).toMatchObject([unreadable])
  const shown = await succeeds(show(home, id, '--json'))
  expect(shown.json).toMatchObject({ ...unreadable, fields: null })
})

const show = (home: string, id: string, ...more: readonly string[]) =>
  paydesk(['callback', 'show', id, ...more], { home, columns: 160 })

/** Callbacks with a card token, by where it stands. */
const withToken: readonly (readonly [where: string, body: unknown])[] = [
  ['cardInfo.cardToken', { ...payment, cardInfo: { cardToken: token } }],
  ['cardInfo.token', payment],
  ['cardInfo.cardToken and cardInfo.token', { ...payment, cardInfo: { cardToken: token, token } }],
  ['CardInfo.CardToken', { ...payment, cardInfo: undefined, CardInfo: { CardToken: token } }],
  ['in a callback of an unknown kind', { deeper: [{ token }] }],
  ['where the card is no object', { ...payment, cardInfo: [{ token }] }],
  ['in a form', `cardToken=${token}&status=SUCCESS`],
  ['in what is nearly JSON', `{'cardToken':'${token}'}`],
  ['in JSON as a text in JSON', { payload: JSON.stringify({ cardToken: token }) }],
  ['in a name that is escaped', `{"\\u0063ardToken":"${token}"}`],
  ['in what is cut off', `{"cardInfo":{"token":"${token}","cardMask`],
  ['in what is cut off in the middle of it', `{"cardInfo":{"token":"${token.slice(0, -3)}`],
]

test('callback show: a card token is hidden wherever it stands, unless --insecure-show-tokens is given', async () => {
  const home = newHome()
  const { url, stop } = await listening({ home })
  for (const [, body] of withToken) await post(url, body, { Authorization: `Basic ${token}`, cookie: token })
  await stop()
  const ids = (await listed(home)).map(({ callbackId }) => String(callbackId)).toReversed()
  expect(ids).toHaveLength(withToken.length)
  for (const [at, [where]] of withToken.entries()) {
    const id = ids[at] ?? ''
    for (const more of [[], ['--json'], ['--raw'], ['--raw', '--json']]) {
      const { code, stdout, stderr } = await show(home, id, ...more)
      expect(code, where).toBe(0)
      expect(stdout + stderr, `${where} ${more.join(' ')}`).not.toContain(token.slice(0, -3))
      expect(stdout, where).toContain('[hidden]')
    }
    expect((await show(home, id, '--raw', '--insecure-show-tokens')).stdout, where).toContain(token.slice(0, -3))
  }
  expect((await paydesk(['callback', 'list', '--json'], { home })).stdout).not.toContain(token)
})

test('callback show: a full card number is hidden unless --insecure-show-tokens is given', async () => {
  const home = newHome()
  const id = await received(home, { ...payment, cardInfo: { token, cardMask: '4111111111111111' } })
  for (const more of [[], ['--json'], ['--raw'], ['--raw', '--json']]) {
    expect((await show(home, id, ...more)).stdout, more.join(' ')).not.toContain('4111111111111111')
  }
  expect((await show(home, id, '--raw', '--insecure-show-tokens')).stdout).toContain('4111111111111111')
})

test("callback show: a card token in the request's address is hidden", async () => {
  const home = newHome()
  const id = await received(home, payment, {}, `?cardToken=${token}&a=b`)
  for (const more of [[], ['--json']]) {
    const { stdout } = await show(home, id, ...more)
    expect(stdout).not.toContain(token)
    expect(stdout).toContain('/callback?cardToken=[hidden]&a=b')
  }
})

test("callback show: fields have the contract's names, keep their digits and unknown members, and a wrong one is named", async () => {
  const home = newHome()
  const text =
    '{"Amount":12.50,"transactionId":9007199254740993,"status":" SUCCESS","more":{"a":[1.50]},"receiverId":{}}'
  const id = await received(home, text)
  const { stdout, json } = await show(home, id, '--json')
  expect(json).toMatchObject({
    ...{ how: 'plain', kind: 'payment', status: 'SUCCESS', transactionId: '9007199254740993' },
    why: 'not what it should be: receiverId',
  })
  expect(stdout).toContain('"amount":12.50')
  expect(stdout).toContain('"more":{"a":[1.50]}')
  expect((await show(home, id)).stdout).toMatch(/amount +12\.50\n/)
})

test('callback show: status, scheme, request, headers and the line that reads the order again are shown', async () => {
  const { home, pair, privateKey } = newScene()
  const id = await received(home, sealed(payment, pair, 'pkcs1'), { 'x-evil': 'a' })
  const { stdout } = await show(home, id, '--private-key', privateKey)
  for (const said of [
    'SUCCESS (paid)',
    'sealed (pkcs1)',
    'POST /callback',
    'x-evil',
    'cardInfo.cardMask',
    'read again',
  ]) {
    expect(stdout).toContain(said)
  }
})

test('callback show: a callback that no key fitted is opened with a key given now, and stays opened', async () => {
  const { home, pair, privateKey } = newScene()
  const id = await received(home, sealed(payment, pair))
  expect((await show(home, id, '--json')).json).toMatchObject({ how: 'unopened', fields: null })
  const now = await show(home, id, '--private-key', privateKey, '--json')
  expect(now.json).toMatchObject({ how: 'sealed', fields: { status: 'SUCCESS', cardInfo: { cardToken: '[hidden]' } } })
  expect((await show(home, id, '--json')).json).toMatchObject({ how: 'sealed' })
  expect(await listed(home)).toMatchObject([{ how: 'sealed', status: 'SUCCESS' }])
})

test('callback show --raw: a body that no key fitted goes through a pipe byte for byte', async () => {
  const { home, pair, privateKey } = newScene()
  const body = sealed(payment, pair)
  const id = await received(home, body)
  const { stdout, stderr } = await show(home, id, '--raw')
  expect([stdout, stderr]).toEqual([body, ''])
  const opened = await paydesk(['envelope', 'open', '--private-key', privateKey], { home, stdin: stdout })
  expect(JSON.parse(opened.stdout)).toEqual(payment)
})

test('callback show: escape sequences of the sender do not reach the terminal', async () => {
  const home = newHome()
  const id = await received(home, { ...payment, receiverId: '\u001b[2Jgone', integratorOrderId: '$(rm -rf ~)' })
  const { stdout } = await show(home, id)
  expect(stdout).toContain('<U+001B>[2Jgone')
  expect(stdout).not.toContain('paydesk order status')
})

test('callback show: an unknown id is 6', async () => {
  expect(await show(newHome(), 'cb-nothing')).toMatchObject({ code: 6, stdout: '' })
})
