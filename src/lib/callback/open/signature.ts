/**
 * Signatures of callbacks by Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), for users whose proxy or
 * contract signs them so. The service's own signature is not specified. The library makes the signature; the moment is judged
 * here, against the time it was received, because a stored callback is verified days later.
 */
import { isUtf8 } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { headerIn } from '../receive/message.ts'
import type { Headers } from './mask.ts'

/** Seconds that the clocks may differ, and that a callback may be on its way. */
const tolerance = 5 * 60

export type SignatureVerdict = { readonly valid: true } | { readonly valid: false; readonly why: string }

const no = (why: string): SignatureVerdict => ({ valid: false, why })

/** Throws Failure('credentials') where the text is no secret; says nothing of what it is. */
export function signer(secret: string, name: string): Webhook {
  try {
    return new Webhook(secret)
  } catch {
    throw new Failure('credentials', `${name} holds no secret of Standard Webhooks`, {
      hints: [hint`Such a secret is base64, usually after "whsec_".`],
    })
  }
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Checks a signature against the secret; `receivedAt` is in milliseconds since 1970. */
export function verify(webhook: Webhook, headers: Headers, body: Buffer, receivedAt: number): SignatureVerdict {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerIn(headers, name),
  )
  if (!id || !timestamp || !signatures) return no('it is not signed: webhook-id, -timestamp or -signature is missing')
  if (!/^\d{1,12}$/.test(timestamp)) return no('its webhook-timestamp is no number of seconds')
  // The library would sign the replacement characters instead of the bytes.
  if (!isUtf8(body)) return no('its body is no UTF-8 text')
  const expected = webhook.sign(id, new Date(Number(timestamp) * 1000), body.toString('utf8'))
  if (!signatures.split(' ').some((each) => same(each, expected))) return no('its signature is not that of the secret')
  const late = receivedAt / 1000 - Number(timestamp)
  if (late > tolerance) return no(`it was signed ${Math.round(late)} s before it was received (300 s at most)`)
  return late < -tolerance ? no(`it was signed ${Math.round(-late)} s after it was received`) : { valid: true }
}

/** The verdict in one line, as it is kept and shown. */
export function signatureInWords(verdict: SignatureVerdict): string {
  return verdict.valid ? 'valid' : `not valid: ${verdict.why}`
}
