/** The home of a story: a profile of the hostile service and an empty journal, made once and copied. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyPair } from '../../kit/key-pairs.ts'
import { newHome, paydesk } from '../../kit/program.ts'

export const profile = ['-p', 'hostile'] as const
const clientId = '11111111-2222-4333-8444-555555555555'
const placeholder = 'http://127.0.0.1:9'

let template: Promise<string> | undefined

async function makeTemplate(): Promise<string> {
  const home = newHome()
  const put = (name: string, text: string) => {
    const path = join(home, name)
    writeFileSync(path, `${text}\n`, { mode: 0o600 })
    return path
  }
  const files = {
    'client-secret-file': put('client.secret', 'secret-of-the-fault-table'),
    'service-public-key': put('service.pub', (await keyPair(2048, 0)).publicKey),
    'private-key': put('own.key', (await keyPair(2048, 1)).privateKey),
  }
  const given = {
    ...files,
    'base-url': placeholder,
    environment: 'test',
    'client-id': clientId,
    'integrator-id': '5c2f7a10-2222-4a11-8c11-000000000201',
    'wallet-identifier': '5c2f7a10-2222-4a11-8c11-000000000202',
    'wallet-scheme': 'aes',
  }
  const flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value])
  const added = await paydesk(['profile', 'add', 'hostile', ...flags], { home })
  if (added.code !== 0) throw new Error(`the profile was not added: ${added.stderr}`)
  await paydesk(['journal', 'list', ...profile, '--json'], { home })
  return home
}

export async function homeFor(port: number): Promise<string> {
  template ??= makeTemplate()
  const from = await template
  const home = newHome()
  for (const name of ['config', 'journal']) cpSync(join(from, name), join(home, name), { recursive: true })
  const config = join(home, 'config')
  for (const name of readdirSync(config)) {
    const text = readFileSync(join(config, name), 'utf8')
    writeFileSync(join(config, name), text.replaceAll(placeholder, `http://127.0.0.1:${port}`), { mode: 0o600 })
  }
  return home
}
