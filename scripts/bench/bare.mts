/**
 * The smallest possible service of sealed orders: it opens, commits durably, seals. It checks nothing and knows no client.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { DatabaseSync } from '@photostructure/sqlite'
import { Hono } from 'hono'

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }

const kept: unknown[] = []

/** Serves one path on a free port of the loopback. Keys are base64 of the DER; gives back the address. */
export async function serveBare(file: string, path: string, privateKey: string, publicKey: string): Promise<string> {
  const own = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const theirs = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table orders (order_id text primary key, request text not null)')
  const begin = database.prepare('begin immediate')
  const insert = database.prepare('insert into orders values (?, ?)')
  const commit = database.prepare('commit')
  // Its statements crash the process when the database is collected as garbage before them.
  kept.push(database)

  const opened = (envelope: { encryptedData: string; encryptedKeys: string }): string => {
    const block = privateDecrypt({ key: own, ...oaep }, Buffer.from(envelope.encryptedKeys, 'base64'))
    const [key = '', iv = ''] = block.toString('utf8').split('.')
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
    const data = Buffer.from(envelope.encryptedData, 'base64')
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
  }
  const sealed = (text: string) => {
    const [key, iv] = [randomBytes(32), randomBytes(16)]
    const cipher = createCipheriv('aes-256-cbc', key, iv)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    const block = publicEncrypt(
      { key: theirs, ...oaep },
      Buffer.from(`${key.toString('base64')}.${iv.toString('base64')}`),
    )
    return { encryptedData: data.toString('base64'), encryptedKeys: block.toString('base64'), aes: true }
  }

  const app = new Hono()
  app.post(path, async (c) => {
    const text = opened(await c.req.json())
    const { integratorOrderId } = JSON.parse(text) as { integratorOrderId: string }
    const id = randomUUID()
    begin.run()
    insert.run(id, text)
    commit.run()
    return c.json(sealed(JSON.stringify({ integratorOrderId, urlForQR: `http://127.0.0.1/checkout/${id}` })))
  })
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
