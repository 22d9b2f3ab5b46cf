/** Writes oclif's manifest of the built commands, so that no command but the one that runs is loaded at start. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'

const root = join(import.meta.dirname, '..')
const plugin = new Plugin({ root, type: 'core', ignoreManifest: true, errorOnManifestCreate: true })
await plugin.load()
writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(plugin.manifest, null, 2)}\n`)
