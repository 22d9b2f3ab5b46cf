/** Keys as they stand in files: base64 in one line, or PEM. */
import { generateKeyPairSync } from 'node:crypto'
import { fingerprint, writeKey } from '../../../src/lib/envelope/key.ts'

function pair(form: 'base64' | 'pem') {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { pub: writeKey(publicKey, form), key: writeKey(privateKey, form), fingerprint: fingerprint(publicKey) }
}

export const keys = {
  service: pair('base64'),
  own: pair('pem'),
  walletService: pair('pem'),
  wallet: pair('base64'),
}
