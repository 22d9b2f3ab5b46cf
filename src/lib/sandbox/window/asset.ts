/** The script of the window: a file that the build has made. Run from source without a build, it is made when it is needed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

async function made(root: string): Promise<string> {
  const { bundleWindow } = await import(pathToFileURL(join(root, 'scripts/build/window.mts')).href)
  return String(await bundleWindow())
}

/** Read when a page is asked for first. `root` is the folder of the package. */
export function windowScript(root: string): () => Promise<string> {
  let script: Promise<string> | null = null
  return () => {
    script ??= readFile(join(root, 'dist/window.js'), 'utf8').catch(() => made(root))
    return script
  }
}
