/** Reasons why a request was not answered, in words; and those that no repeat mends. */
import { blank, type Hint, hint, paste } from '../hint.ts'
import { largestBodyInWords } from '../text.ts'

export function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'the request failed'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `the answer has more than ${largestBodyInWords}`
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const text = error.message || (inner instanceof Error ? inner.message : '')
  return [code && !text.includes(code) ? code : null, text.trim()].filter(Boolean).join(': ') || 'the request failed'
}

/** Codes of OpenSSL and Node for a certificate that does not verify (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const untrusted =
  /^(?:UNABLE_TO_\w+|CERT_(?:SIGNATURE_FAILURE|CHAIN_TOO_LONG|REVOKED|UNTRUSTED|REJECTED)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED)$/
const outOfTime = /^(?:CERT_(?:NOT_YET_VALID|HAS_EXPIRED)|ERROR_IN_CERT_NOT_(?:BEFORE|AFTER)_FIELD)$/
const otherName = /^(?:HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** What mends a reason of `explain`; null for one that may pass by itself. */
export function remedyFor(why: string): Hint | null {
  const [code = ''] = why.replace(/^no tunnel through the proxy: /, '').split(':')
  if (untrusted.test(code)) {
    const trusting = paste('profile add', blank('<name>'), '--ca-file', blank('<file>'), '--replace')
    return hint`The certificate is not signed by an authority that is trusted here. If it is that of the service, or of your company's proxy, trust its authority: \`${trusting}\`.`
  }
  if (outOfTime.test(code))
    return hint`The certificate is not valid now: check the clock of this machine, or have the service renew it. --ca-file trusts another authority, no other time.`
  if (otherName.test(code))
    return hint`The certificate is that of another host: check the base URL of the profile. --ca-file trusts another authority, no other host.`
  return null
}
