/** The scripts of the sandbox's pages as the browser gets them: for each room one text without imports. */
import { join } from 'node:path'
import { build } from 'rolldown'

/** The rooms whose pages have one. */
export const scriptedRooms = ['window', 'checkout']

export async function bundleScript(room: string): Promise<string> {
  const { output } = await build({
    cwd: join(import.meta.dirname, '..', '..'),
    write: false,
    logLevel: 'warn',
    input: `src/lib/sandbox/${room}/script/script.ts`,
    platform: 'browser',
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
