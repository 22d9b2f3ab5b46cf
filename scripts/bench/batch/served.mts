/** The service and the bare client of a bench as plain JavaScript, because tsx would measure itself; the service as a process. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'rolldown'

export interface BuiltParts {
  readonly service: string
  readonly bare: string
}

export async function builtParts(directory: string): Promise<BuiltParts> {
  const place = join(directory, 'built')
  await build({
    cwd: import.meta.dirname,
    logLevel: 'warn',
    input: { service: './service.mts', bare: './bare.mts' },
    platform: 'node',
    output: { dir: place, format: 'esm', entryFileNames: '[name].mjs' },
  })
  return { service: join(place, 'service.mjs'), bare: join(place, 'bare.mjs') }
}

export async function served(
  script: string,
  late: number,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = fork(script, [String(late)], { execArgv: [] })
  const gone = once(child, 'exit').then(() => [])
  const [url] = await Promise.race([once(child, 'message'), gone])
  if (typeof url !== 'string') throw new Error('the service did not start')
  return { child, url }
}
