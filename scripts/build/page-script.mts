/** The script of the sandbox's console as the browser gets it: one text without imports. */
import { join } from 'node:path'
import { build } from 'rolldown'

export async function bundleConsoleScript(): Promise<string> {
  const { output } = await build({
    cwd: join(import.meta.dirname, '..', '..'),
    write: false,
    logLevel: 'warn',
    input: 'src/lib/sandbox/console/script/script.ts',
    platform: 'browser',
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
