/** The file of the secret that signatures of callbacks are made with (Standard Webhooks). */
import { signer } from '../../callback/open/signature.ts'
import { Failure } from '../../failure.ts'
import { secretOf } from '../../profile/secrets/secret.ts'
import { settings } from '../../profile/settings/setting.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'

export interface SignatureSecret {
  readonly webhook: ReturnType<typeof signer>
  readonly path: string
  readonly warnings: readonly string[]
}

/** `hide` hears the secret before anything is done with it. Throws Failure('credentials'). */
export function secretIn(path: string, ofProfile: boolean, hide: (secret: string) => void): SignatureSecret {
  const by = ofProfile ? `--${settings.callbackSecretFile.flag}` : '--secret-file'
  mustBeOwn(path, 'the file of the secret')
  const file = contents(path)
  if ('why' in file) throw new Failure('credentials', `${by} ${path} cannot be read: ${file.why}`)
  const read = secretOf(file.bytes)
  if (!read.ok) throw new Failure('credentials', `${by} ${path} ${read.complaint}`)
  hide(read.secret)
  const warnings = othersMayRead(path) ? [`others may read ${path}: chmod 600 keeps it to yourself`] : []
  return { webhook: signer(read.secret, `${by} ${path}`), path, warnings }
}
