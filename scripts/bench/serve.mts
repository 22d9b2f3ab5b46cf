/** The two servers that the sandbox's bench compares, each on new files in a directory of its own. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { realClock, realRandom } from '../../src/lib/edge.ts'
import { openSandbox } from '../../src/lib/sandbox/sandbox.ts'
import { serve } from '../../src/lib/sandbox/server/server.ts'
import { serveBare } from './bare.mts'

const path = '/api/integrator/order'

/** The first words of a server about itself. Keys are base64 of the DER. */
export interface Contestant {
  readonly url: string
  /** Where it takes orders. */
  readonly path: string
  readonly integratorId: string
  readonly servicePublicKey: string
  /** Of the integrator: opens answers. */
  readonly privateKey: string
}

export async function serveSandbox(directory: string): Promise<Contestant> {
  const sandbox = await openSandbox(directory, realClock, realRandom)
  const known = await sandbox.integrator('sandbox')
  if (!known) throw new Error('the world has no integrator')
  return { ...known, url: (await serve(sandbox)).url, path }
}

function newPair(): { publicKey: string; privateKey: string } {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  return { publicKey: pair.publicKey.toString('base64'), privateKey: pair.privateKey.toString('base64') }
}

export async function serveBareOne(directory: string): Promise<Contestant> {
  const [service, own] = [newPair(), newPair()]
  const url = await serveBare(join(directory, 'bare.db'), path, service.privateKey, own.publicKey)
  return { url, path, integratorId: randomUUID(), servicePublicKey: service.publicKey, privateKey: own.privateKey }
}
