/** Outputs of the commands of envelopes and keys as JSON, for the test that holds them against their schemas. */
import { join } from 'node:path'
import { seal } from '../../src/lib/envelope/envelope.ts'
import { writeMembers } from '../../src/lib/envelope/layout.ts'
import { newScene, payload } from '../kit/envelope.ts'
import type { Surroundings } from '../kit/program.ts'

type Print<Printed> = (
  argv: readonly string[],
  around: Surroundings,
  ended?: { readonly code: number },
) => Promise<Printed>

export function envelopeScenarios<Printed>(
  print: Print<Printed>,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  const { home, pair, privateKey, publicKey } = newScene()
  const sealed = (scheme: 'oaep-sha256' | 'pkcs1' | 'rsa-pkcs1') =>
    JSON.stringify(writeMembers(seal(payload, { key: pair.publicKey, scheme, identifier: 'acme' })))
  const run = (argv: readonly string[], stdin: string, code = 0) => print(argv, { home, stdin }, { code })
  const doctor = (stdin: string, ...more: readonly string[]) =>
    run(['envelope', 'doctor', '--private-key', privateKey, ...more], stdin)
  return {
    'envelope-seal.json': async () => {
      const argv = ['envelope', 'seal', '--public-key', publicKey, '--identifier', 'acme']
      const ways = [[], ['--scheme', 'rsa-pkcs1'], ['--layout', 'query']]
      return Promise.all(ways.map((more) => run([...argv, ...more], payload)))
    },
    'envelope-open.json': async () => [
      await run(['envelope', 'open', '--private-key', privateKey], sealed('oaep-sha256')),
      await run(['envelope', 'open', '--private-key', privateKey], sealed('rsa-pkcs1')),
    ],
    'envelope-inspect.json': async () => [
      await run(['envelope', 'inspect'], sealed('oaep-sha256')),
      await run(['envelope', 'inspect'], '{"encryptedData":"*","encryptedKeys":7}'),
      await run(['envelope', 'inspect'], 'hello'),
    ],
    'envelope-doctor.json': async () => [
      await doctor(sealed('oaep-sha256'), '--insecure-show-keys'),
      await doctor(sealed('pkcs1')),
      await doctor(sealed('rsa-pkcs1').replace(/"}$/, ' "}')),
      await run(['envelope', 'doctor', '--private-key', privateKey], 'hello', 5),
    ],
    'key-generate.json': async () => [
      await run(['key', 'generate', '--bits', '2048', '--private-key', join(home, 'made.key')], ''),
    ],
    'key-import.json': async () => [
      await run(['key', 'import', privateKey, '--to', join(home, 'private')], ''),
      await run(['key', 'import', publicKey, '--to', join(home, 'public')], ''),
    ],
    'key-show.json': async () => [await run(['key', 'show', privateKey, publicKey], '')],
  }
}
