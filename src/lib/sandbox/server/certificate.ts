/**
 * A throwaway authority and the certificate that it signs for a server, made in memory at the start of a sandbox. No private
 * key is written down, and the authority's is dropped once it has signed: nothing else can ever be signed with it.
 */

import { isIP } from 'node:net'
import asn1 from 'node-forge/lib/asn1.js'
import sha256 from 'node-forge/lib/sha256.js'
import pki, { type ForgeCertificate } from 'node-forge/lib/x509.js'
import type { Clock, Random, RsaKeyPair } from '../../edge.ts'

interface ServerCertificate {
  /** PEM of the authority: what a client has to trust. */
  readonly authority: string
  readonly cert: string
  readonly key: string
}

/** Names by which programs on this machine reach a server that listens on the loopback. */
const loopback = ['localhost', '127.0.0.1', '::1']

const bits = 2048
const day = 86_400_000
/** Longer than any run of a sandbox; some clients refuse certificates that are good for more than 397 days. */
const lasts = 90 * day

const basic = { name: 'basicConstraints', critical: true }
const usage = { name: 'keyUsage', critical: true }

function keyOf(text: string): object {
  return asn1.fromDer(Buffer.from(text, 'base64').toString('latin1'))
}

interface Plan {
  readonly name: string
  readonly keys: RsaKeyPair
  readonly issuer: string
  readonly signedBy: RsaKeyPair
  readonly extensions: readonly object[]
}

function signCertificate(plan: Plan, now: number, random: Random): ForgeCertificate {
  const certificate = pki.createCertificate()
  certificate.publicKey = pki.publicKeyFromAsn1(keyOf(plan.keys.publicKey))
  // A leading 1: a serial number is positive.
  certificate.serialNumber = `1${random.uuid().replaceAll('-', '').slice(1)}`
  certificate.validity = { notBefore: new Date(now - day), notAfter: new Date(now + lasts) }
  certificate.setSubject([{ name: 'commonName', value: plan.name }])
  certificate.setIssuer([{ name: 'commonName', value: plan.issuer }])
  certificate.setExtensions([...plan.extensions, { name: 'subjectKeyIdentifier' }])
  certificate.sign(pki.privateKeyFromAsn1(keyOf(plan.signedBy.privateKey)), sha256.create())
  return certificate
}

const pem = (certificate: ForgeCertificate): string => pki.certificateToPem(certificate).replaceAll('\r\n', '\n')

function privatePem({ privateKey }: RsaKeyPair): string {
  const lines = privateKey.match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}

/** For the names of the loopback, and for others under which the server is reached. */
export async function serverCertificate(
  names: readonly string[],
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<ServerCertificate> {
  const [ofAuthority, ofServer] = await Promise.all([random.rsaKeyPair(bits), random.rsaKeyPair(bits)])
  const now = clock.now()
  const issuer = `Sandbox authority ${random.uuid().slice(0, 8)}`
  const made = { issuer, signedBy: ofAuthority }
  const extensions = [
    { ...basic, cA: true, pathLenConstraint: 0 },
    { ...usage, keyCertSign: true },
  ]
  const authority = signCertificate({ ...made, name: issuer, keys: ofAuthority, extensions }, now, random)
  const altNames = [...new Set([...loopback, ...names])].map((each) =>
    isIP(each) === 0 ? { type: 2, value: each } : { type: 7, ip: each },
  )
  const server = signCertificate(
    {
      ...{ ...made, name: 'localhost', keys: ofServer },
      extensions: [
        { ...basic, cA: false },
        { ...usage, digitalSignature: true, keyEncipherment: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames },
        { name: 'authorityKeyIdentifier', keyIdentifier: authority.generateSubjectKeyIdentifier().getBytes() },
      ],
    },
    now,
    random,
  )
  return { authority: pem(authority), cert: pem(server), key: privatePem(ofServer) }
}
