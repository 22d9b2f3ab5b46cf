/**
 * The keyring of the operating system; the only module that knows its library. On Linux the store is pinned to the Secret
 * Service: left alone, the library falls back in silence to the kernel's keyring, which forgets at reboot.
 */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'

export interface Keyring {
  /** The secret of an account; null where there is none. */
  read(account: string): Promise<string | null>
  write(account: string, secret: string): Promise<void>
  forget(account: string): Promise<void>
}

const service = 'paydesk'

async function entry(account: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(service, account, { linux: { store: 'secret-service' } })
}

async function orFail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    // Of the library's words only the first line, cut: it never quotes a secret today, and shall not fill a screen either.
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 160) : 'unknown reason'
    throw new Failure('credentials', `the keyring of this machine cannot be used: ${why}`, {
      hints: [
        hint`Keep the secret in a file: \`profile add\` with --client-secret-file <file>.`,
        hint`Or in an environment variable: --client-secret-env <NAME>, or PAYDESK_CLIENT_SECRET for every profile.`,
        hint`Or in the configuration file itself, mode 0600: add --store-secrets.`,
      ],
    })
  }
}

export const systemKeyring: Keyring = {
  read: (account) => orFail(async () => (await entry(account)).getPassword()),
  write: (account, secret) => orFail(async () => (await entry(account)).setPassword(secret)),
  forget: (account) =>
    orFail(async () => {
      await (await entry(account)).deleteCredential()
    }),
}
