/** The scripts of the sandbox's pages as the browser gets them: each one text without imports. */
import { join } from 'node:path'
import { build } from 'rolldown'

/** The folders of the sandbox whose pages have a script. */
export const scriptedPages = ['console', 'checkout'] as const

export async function bundleScript(page: string): Promise<string> {
  const { output } = await build({
    cwd: join(import.meta.dirname, '..', '..'),
    write: false,
    logLevel: 'warn',
    input: `src/lib/sandbox/${page}/script/script.ts`,
    platform: 'browser',
    output: { format: 'iife', minify: true },
  })
  return output[0].code
}
