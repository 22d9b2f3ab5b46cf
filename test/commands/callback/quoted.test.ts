import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listed, listening, payment, post, sealed, token } from '../../kit/callback.ts'
import { newScene } from '../../kit/envelope.ts'
import { paydesk } from '../../kit/program.ts'

const shapes = [
  token,
  token.toUpperCase(),
  token.replaceAll('-', ''),
  Buffer.from(token).toString('base64'),
  [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
]

const quoting = {
  ...payment,
  cardToken: token,
  [token]: 'a name',
  description: shapes.join(' and '),
  list: [{ of: [token] }],
  statusDescription: `charged ${token}`,
}

test('callback listen: a card token that other members of a sealed callback quote is hidden in every output and in the store', async () => {
  const { home, pair, privateKey } = newScene()
  const { url, stop } = await listening({ home }, '--private-key', privateKey, '--json')
  expect(await post(url, sealed(quoting, pair, 'oaep-sha256'))).toBe(200)
  const ended = await stop()
  const [entry] = await listed(home)
  const shown = await paydesk(['callback', 'show', String(entry?.callbackId), '--json'], { home })
  const table = await paydesk(['callback', 'show', String(entry?.callbackId)], { home })
  const kept = ['callbacks.db', 'callbacks.db-wal'].map((file) => {
    try {
      return readFileSync(join(home, 'callbacks', file), 'latin1')
    } catch {
      return ''
    }
  })
  const everything = [ended.stdout, ended.stderr, shown.stdout, table.stdout, ...kept].join('\n').toLowerCase()
  for (const shape of shapes) expect(everything).not.toContain(shape.toLowerCase())
  expect(shown.json).toMatchObject({ fields: { cardToken: '[hidden]', list: [{ of: ['[hidden]'] }] } })
})
