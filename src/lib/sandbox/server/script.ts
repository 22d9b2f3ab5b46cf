/** The script of a room's pages: a file that the build has made. Run from source without a build, it is made when it is needed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

async function made(root: string, room: string): Promise<string> {
  const { bundleScript } = await import(pathToFileURL(join(root, 'scripts/build/page-script.mts')).href)
  return String(await bundleScript(room))
}

/** Read when a page is asked for first. `root` is the folder of the package. */
export function pageScript(root: string, room: 'window' | 'checkout'): () => Promise<string> {
  let script: Promise<string> | null = null
  return () => {
    script ??= readFile(join(root, `dist/${room}.js`), 'utf8').catch(() => made(root, room))
    return script
  }
}
