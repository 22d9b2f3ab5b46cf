/** Writes the generated pages of docs/reference/ from the built program, and the names of its pages for `man` into package.json. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manPages } from './manuals/man.mts'
import { manualsOf } from './manuals/manuals.mts'
import { markdownPages } from './manuals/markdown.mts'
import { referencePages } from './manuals/references.mts'

const root = join(import.meta.dirname, '..')
const reference = join(root, 'docs', 'reference')
const directory = join(reference, 'commands')
const manuals = manualsOf(join(root, 'dist'))

rmSync(directory, { recursive: true, force: true })
mkdirSync(directory)
for (const [file, text] of markdownPages(manuals)) writeFileSync(join(directory, file), text)
for (const [file, text] of await referencePages()) writeFileSync(join(reference, file), text)

const packageFile = join(root, 'package.json')
const pjson = JSON.parse(readFileSync(packageFile, 'utf8'))
const man = [...manPages(manuals, '').keys()].map((file) => `dist/man/${file}`)
writeFileSync(packageFile, `${JSON.stringify({ ...pjson, man }, null, 2)}\n`)
