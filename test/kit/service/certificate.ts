/** Self-signed certificates, made anew for each test run: no key lies about, and none runs out. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (...bytes: readonly number[]) => der(0x06, Uint8Array.from(bytes))
const bits = (content: Uint8Array) => der(0x03, Uint8Array.of(0), content)
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function time(days: number): Buffer {
  const iso = new Date(Date.now() + days * 86_400_000).toISOString()
  return der(0x18, Buffer.from(`${iso.replace(/\D/g, '').slice(0, 14)}Z`))
}

function extension(id: Buffer, content: Buffer): Buffer {
  return sequence(id, der(0x04, content))
}

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate for the host name `localhost` (or another), valid from yesterday for so many days. */
export function selfSigned({
  host = 'localhost',
  days = 2,
}: {
  readonly host?: string
  readonly days?: number
} = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(`paydesk test ${host}`)))))
  const addresses = host === 'localhost' ? [der(0x87, Uint8Array.of(127, 0, 0, 1))] : []
  const subjectAltName = extension(oid(0x55, 0x1d, 0x11), sequence(der(0x82, Buffer.from(host)), ...addresses))
  const basicConstraints = extension(oid(0x55, 0x1d, 0x13), sequence(der(0x01, Uint8Array.of(0xff))))
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(0x40), randomBytes(15)),
    ecdsaWithSha256,
    name,
    sequence(time(-1), time(days)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName, basicConstraints)),
  )
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
