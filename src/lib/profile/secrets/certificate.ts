/** Certificates that a profile points at, checked before TLS would fail on them in words that are hard to understand. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { contents } from '../../readable-file.ts'

export type Pem = { readonly pem: string } | { readonly complaint: string }

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** Each certificate in a text, from its first line to its last. */
function blocksIn(pem: string): readonly string[] {
  const [, ...pieces] = pem.split(begin)
  return pieces.filter((piece) => piece.includes(end)).map((piece) => begin + piece.slice(0, piece.indexOf(end)) + end)
}

function readPem(path: string): Pem {
  const file = contents(path)
  return 'why' in file ? { complaint: `cannot be read: ${file.why}` } : { pem: file.bytes.toString('utf8') }
}

/** One or more certificates. */
export function readCertificates(path: string): Pem {
  const file = readPem(path)
  if (!('pem' in file)) return file
  const blocks = blocksIn(file.pem)
  if (blocks.length === 0) return { complaint: 'holds no certificate in PEM form' }
  try {
    for (const each of blocks) new X509Certificate(each)
    return file
  } catch {
    return { complaint: 'holds a damaged certificate' }
  }
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}

/** The private key of a certificate; of any, where none is given. It must have no passphrase, because a job at night cannot type one. */
export function readCertificateKey(path: string, certificatePem: string | null): Pem {
  const file = readPem(path)
  if (!('pem' in file)) return file
  if (/ENCRYPTED/.test(file.pem)) return { complaint: 'is protected by a passphrase; take it off (openssl pkey)' }
  const key = readKey(file.pem)
  if (!key) return { complaint: 'holds no private key in PEM form' }
  const fits = certificatePem === null || new X509Certificate(certificatePem).checkPrivateKey(key)
  return fits ? file : { complaint: 'does not belong to the client certificate' }
}
