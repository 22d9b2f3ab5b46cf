/** Builds what bin/run.js runs: chunks, the script of the sandbox's window, notices of what is bundled, oclif's manifest. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'
import { noticesOf } from './build/notices.mts'
import { bundle } from './build/program.mts'
import { bundleWindow } from './build/window.mts'

const root = join(import.meta.dirname, '..')

/** The lines of a description are the source's; a terminal has lines of its own. An empty line stays. */
function unwrapped(text: string): string {
  return text.replace(/(?<=\S)[ \t]*\n[ \t]*(?=\S)/g, ' ')
}

async function writeManifest(): Promise<void> {
  const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  for (const command of Object.values(plugin.manifest.commands)) {
    if (command.description) command.description = unwrapped(command.description)
  }
  writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(plugin.manifest, null, 2)}\n`)
}

// Built beside the old program and then put in its place: a command that runs meanwhile finds one or the other.
const beside = join(root, `dist-${process.pid}`)
const packages = await bundle(beside)
writeFileSync(join(beside, 'window.js'), await bundleWindow())
writeFileSync(join(beside, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages))
const old = join(root, `dist-old-${process.pid}`)
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
renameSync(beside, join(root, 'dist'))
rmSync(old, { recursive: true, force: true })
await writeManifest()
