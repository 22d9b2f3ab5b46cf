/** Writes docs/commands/ from the help of the built program, and the names of its pages for `man` into package.json. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manPages } from './manuals/man.mts'
import { manualsOf } from './manuals/manuals.mts'
import { markdownPages } from './manuals/markdown.mts'

const root = join(import.meta.dirname, '..')
const directory = join(root, 'docs', 'commands')
const manuals = manualsOf(join(root, 'dist'))

rmSync(directory, { recursive: true, force: true })
mkdirSync(directory)
for (const [file, text] of markdownPages(manuals)) writeFileSync(join(directory, file), text)

const packageFile = join(root, 'package.json')
const pjson = JSON.parse(readFileSync(packageFile, 'utf8'))
const man = [...manPages(manuals, '').keys()].map((file) => `dist/man/${file}`)
writeFileSync(packageFile, `${JSON.stringify({ ...pjson, man }, null, 2)}\n`)
