/**
 * The cost of seal and open beside the bare node:crypto calls they stand for, in one run, pair by pair, so that both sides
 * meet the same machine. Bounds: opening with the scheme set at most 1.15 times the bare calls, sealing within 10 µs of them.
 * Exit code 1 if one is broken. `npm run bench:envelope -- [pairs]`
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { jsonText, openReceived, seal } from '../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../src/lib/envelope/layout.ts'
import { openBlock } from '../../src/lib/envelope/rsa.ts'
import { type Scheme, schemeFacts, schemes } from '../../src/lib/envelope/scheme.ts'
import { median } from './judge.mts'

const pairs = Number(process.argv[2] ?? 1500)
const mostOpening = 1.15
const mostSealing = 10

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const order = { amount: 12.5, integratorOrderId: '3fa85f64-5717-4562-b3fc-2c963f66afa6', note: 'ხელფასი '.repeat(5) }
const small = JSON.stringify({ amount: 12.5, integratorOrderId: order.integratorOrderId, status: 'SUCCESS' })
const usual = JSON.stringify({ ...order, splitDetails: Array.from({ length: 8 }, () => order) })

const oaep = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
const pkcs1 = { padding: constants.RSA_PKCS1_PADDING }
const raw = { padding: constants.RSA_NO_PADDING }

/** Node has no call for OAEP with MGF1 SHA-1: it stands for the arithmetic and the hashes of a 2048-bit block (RFC 8017, B.2.1). */
function hashesOfMgf1(): void {
  const hash = (name: string, bytes: number) => createHash(name).update(Buffer.alloc(bytes)).digest()
  hash('sha256', 0)
  for (let mask = 0; mask < 2; mask += 1) hash('sha1', 223 + 4)
  for (let mask = 0; mask < 12; mask += 1) hash('sha1', 32 + 4)
}

/** Node 20 has no call that takes PKCS#1 off either: what it has is the arithmetic. */
function bareUnwrap(scheme: Scheme, block: Buffer): Buffer {
  const { padding } = schemeFacts[scheme]
  if (padding === 'oaep-sha256-mgf1-sha1') hashesOfMgf1()
  return privateDecrypt({ key: privateKey, ...(padding === 'oaep-sha256' ? oaep : raw) }, block)
}

function bareWrap(scheme: Scheme, message: Buffer): Buffer {
  const { padding } = schemeFacts[scheme]
  if (padding !== 'oaep-sha256-mgf1-sha1') {
    return publicEncrypt({ key: publicKey, ...(padding === 'pkcs1' ? pkcs1 : oaep) }, message)
  }
  randomBytes(32)
  hashesOfMgf1()
  return publicEncrypt({ key: publicKey, ...raw }, Buffer.concat([Buffer.alloc(256 - message.length), message]))
}

/** A sealed text with the bare calls alone: no checks, no failures. The key is what the block would have given. */
function bareOpen(scheme: Scheme, members: Record<string, string>, keyText: string): string {
  const data = Buffer.from(members.encryptedData ?? '', 'base64')
  if (!members.encryptedKeys) return bareUnwrap(scheme, data).toString('utf8')
  bareUnwrap(scheme, Buffer.from(members.encryptedKeys, 'base64'))
  const [key = '', iv = ''] = keyText.split('.')
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
  return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8')
}

function bareSeal(scheme: Scheme, text: string): Buffer[] {
  if (!schemeFacts[scheme].aes) return [bareWrap(scheme, Buffer.from(text, 'utf8'))]
  const [key, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const keyText = Buffer.from(`${key.toString('base64')}.${iv.toString('base64')}`)
  return [data, bareWrap(scheme, keyText)]
}

async function microseconds(work: () => unknown): Promise<number> {
  const started = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - started) / 1000
}

/** Medians of both sides, each pair measured back to back and in turns. */
async function compare(ours: () => unknown, bare: () => unknown): Promise<{ ours: number; bare: number }> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let at = -200; at < pairs; at += 1) {
    const first = at % 2 === 0
    const a = await microseconds(first ? ours : bare)
    const b = await microseconds(first ? bare : ours)
    if (at < 0) continue
    times.ours.push(first ? a : b)
    times.bare.push(first ? b : a)
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

let broken = 0

function report(
  what: string,
  { ours, bare }: { ours: number; bare: number },
  fine: boolean | null,
  figure: string,
): void {
  if (!fine) broken += 1
  const verdict = fine ? 'ok' : 'TOO SLOW'
  const columns = [what.padEnd(34), `${ours.toFixed(1)} µs`.padStart(11), `${bare.toFixed(1)} µs`.padStart(11)]
  process.stdout.write(`${columns.join('  ')}  ${figure.padStart(9)}  ${verdict}\n`)
}

process.stdout.write(
  `${''.padEnd(34)}  ${'paydesk'.padStart(11)}  ${'bare'.padStart(11)}   (${pairs} pairs, RSA 2048)\n`,
)
for (const scheme of schemes) {
  const text = schemeFacts[scheme].aes ? usual : small
  const envelope = seal(text, { key: publicKey, scheme })
  const members = writeMembers(envelope) as Record<string, string>
  const opening = { key: privateKey, scheme }
  // The bare side deciphers with the envelope's own key, which only the block knows: asked for once, outside of the clock.
  const known = schemeFacts[scheme].aes ? await keyTextOf(members, scheme) : ''
  const opened = await compare(
    () => openReceived(members, opening, jsonText),
    () => bareOpen(scheme, members, known),
  )
  const ratio = opened.ours / opened.bare
  report(`open ${scheme}, ${Buffer.byteLength(text)} bytes`, opened, ratio <= mostOpening, `× ${ratio.toFixed(3)}`)
  const sealed = await compare(
    () => writeMembers(seal(text, { key: publicKey, scheme })),
    () => bareSeal(scheme, text).map((bytes) => bytes.toString('base64')),
  )
  const more = sealed.ours - sealed.bare
  report(`seal ${scheme}, ${Buffer.byteLength(text)} bytes`, sealed, more <= mostSealing, `+ ${more.toFixed(1)} µs`)
}
process.exitCode = broken > 0 ? 1 : 0

async function keyTextOf(members: Record<string, string>, scheme: Scheme): Promise<string> {
  const block = Buffer.from(members.encryptedKeys ?? '', 'base64')
  return String(await openBlock(schemeFacts[scheme].padding, privateKey, block))
}
