/** Outputs of the commands of callbacks as JSON, for the test that holds them against their schemas. */

import { chmodSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { linesOf, listed, listening, payment, post, program, sealed, subscription } from '../kit/callback.ts'
import { newPair, newScene, type Scene } from '../kit/envelope.ts'
import type { Surroundings } from '../kit/program.ts'
import { freePort, until } from '../kit/tools.ts'

type Print<Printed> = (argv: readonly string[], around: Surroundings) => Promise<Printed>

const secret = `whsec_${Buffer.from('a secret of callbacks').toString('base64')}`

function signed(body: string): Record<string, string> {
  const now = new Date()
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    'webhook-id': 'm',
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign('m', now, body),
  }
}

interface Filled {
  readonly scene: Scene
  readonly secretFile: string
  /** The output of the listener. */
  readonly lines: readonly string[]
  readonly ids: readonly string[]
}

/** A profile, a listener that forwards to a target that is there and then not, and one callback of each kind. */
async function filled(print: Print<unknown>): Promise<Filled> {
  const scene = newScene()
  const { home, pair, privateKey, put } = scene
  const secretFile = put('hook.secret', secret)
  chmodSync(secretFile, 0o644)
  const add = ['profile', 'add', 'acme', '--base-url', 'https://pay.example.com', '--environment', 'test']
  await print([...add, '--private-key', privateKey, '--callback-secret-file', secretFile], { home })
  const to = await program(
    ({ body }, count) => (count === 1 || body.toString() === 'garbage' ? 500 : 200),
    await freePort(),
  )
  const { url, stop } = await listening({ home }, '-p', 'acme', '--json', '--forward-to', to.url)
  const body = sealed(payment, pair)
  await post(url, body, signed(body))
  await post(url, subscription)
  await until('they are delivered', async () => (await listed(home)).every(({ forward }) => forward === 'delivered'))
  await post(url, 'garbage')
  await post(url, sealed(payment, newPair()))
  const attempted = (at: number) => async () => {
    const ids = (await listed(home)).map(({ callbackId }) => String(callbackId)).toReversed()
    const shown = (await print(['callback', 'show', ids[at] ?? ''], { home })) as { value: { attempts: unknown[] } }
    return shown.value.attempts.length > 0
  }
  await until('they were tried', attempted(3))
  await to.close()
  await post(url, payment)
  await until('it is down', attempted(4))
  await fetch(url)
  const lines = linesOf(await stop()).map((line) => JSON.stringify(line))
  const ids = (await listed(home)).map(({ callbackId }) => String(callbackId)).toReversed()
  return { scene, secretFile, lines, ids }
}

/** The private key in a file that others may read: it is used, and remarked upon. */
function openKey({ privateKey }: Scene): string {
  chmodSync(privateKey, 0o644)
  return privateKey
}

export function callbackScenarios<Printed>(
  print: Print<Printed>,
  asPrinted: (argv: readonly string[], text: string) => Printed,
): Readonly<Record<string, () => Promise<readonly Printed[]>>> {
  let once: Promise<Filled> | undefined
  const scene = () => {
    once ??= filled(print)
    return once
  }
  return {
    'callback-listen.json': async () => {
      const { stop } = await listening({ home: newScene().home }, '--json')
      const keyless = linesOf(await stop()).map((line) => JSON.stringify(line))
      return [...(await scene()).lines, ...keyless].map((line) => asPrinted(['callback', 'listen'], line))
    },
    'callback-list.json': async () => [await print(['callback', 'list'], { home: (await scene()).scene.home })],
    'callback-show.json': async () => {
      const { scene: around, ids } = await scene()
      const show = (id: string) => print(['callback', 'show', id, '--private-key', openKey(around)], around)
      const shown = await Promise.all(ids.map(show))
      return [...shown, await print(['callback', 'show', ids[0] ?? '', '--raw'], around)]
    },
    'callback-replay.json': async () => {
      const { scene: around, ids } = await scene()
      const to = await program()
      const sent = (at: number, ...more: readonly string[]) =>
        print(['callback', 'replay', ids[at] ?? '', '--to', to.url, '--set', 'amount=6', ...more], around)
      return [await sent(1), await sent(0, '--private-key', openKey(around))]
    },
    'callback-verify.json': async () => {
      const { scene: around, ids, secretFile } = await scene()
      return [await print(['callback', 'verify', ids[0] ?? '', '--secret-file', secretFile], around)]
    },
  }
}
