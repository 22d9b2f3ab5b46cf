/** Writes schemas/: what every command prints with --json, from the results that they name. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documents } from './documents.mts'

const directory = join(import.meta.dirname, '../../schemas')

const { texts } = await documents()
rmSync(directory, { recursive: true, force: true })
mkdirSync(directory)
for (const [file, text] of texts) writeFileSync(join(directory, file), text)
