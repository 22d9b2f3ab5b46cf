/**
 * Builds what bin/run.js runs: chunks, the scripts of the sandbox's console and checkout page, notices of what is bundled, oclif's manifest, and
 * what is answered without oclif, the listing of the commands, their help, and pages for `man`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Config, Plugin } from '@oclif/core'
import { completionTree } from '../src/lib/cli/completion/tree.ts'
import { globalFlagsPage } from '../src/lib/cli/help/draw.ts'
import { helpPageOf } from '../src/lib/cli/help/pages.ts'
import { listingOf } from '../src/lib/cli/program/config.ts'
import { noticesOf } from './build/notices.mts'
import { bundleConsoleScript } from './build/page-script.mts'
import { bundle } from './build/program.mts'
import { manPages } from './manuals/man.mts'
import { manualsOf } from './manuals/manuals.mts'

const root = join(import.meta.dirname, '..')

/** The lines of a description are the source's; a terminal has lines of its own. An empty line stays. */
function unwrapped(text: string): string {
  return text.replace(/(?<=\S)[ \t]*\n[ \t]*(?=\S)/g, ' ')
}

/** The program with its commands below a directory of the root. */
async function pluginIn(directory: string): Promise<Plugin> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = { ...pjson.oclif.commands, target: `./${directory}/commands` }
  const built = { ...pjson, oclif: { ...pjson.oclif, commands } }
  const plugin = new Plugin({ root, isRoot: true, pjson: built, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  for (const command of [...plugin.commands, ...Object.values(plugin.manifest.commands)]) {
    if (command.description) command.description = unwrapped(command.description)
  }
  return plugin
}

function writeManifest({ manifest }: Plugin): void {
  for (const command of Object.values(manifest.commands)) command.relativePath?.splice(0, 1, 'dist')
  writeFileSync(join(root, 'oclif.manifest.json'), `${JSON.stringify(manifest)}\n`)
}

async function writeHelp(plugin: Plugin, directory: string): Promise<void> {
  const config = await Config.load({ root, plugins: new Map([[plugin.name, plugin]]) })
  writeFileSync(join(directory, 'listing.json'), JSON.stringify(listingOf(config)))
  writeFileSync(join(directory, 'completion.json'), JSON.stringify(completionTree(config)))
  // package.json writes the topics inside topics with a blank; oclif knows them by a colon, too.
  const topics = config.topics.map(({ name }) => name.replaceAll(' ', ':'))
  for (const id of ['', globalFlagsPage, ...topics, ...config.commandIDs]) {
    const file = `${join(directory, 'help', ...id.split(':'))}.json`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(helpPageOf(config, id)))
  }
}

/** Pages for `man`. SOURCE_DATE_EPOCH gives the day of a build that is to be the same again. */
function writeManuals(directory: string): void {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000)
  const day = new Date(seconds * 1000).toISOString().slice(0, 10)
  mkdirSync(join(directory, 'man'))
  for (const [file, text] of manPages(manualsOf(directory), day)) writeFileSync(join(directory, 'man', file), text)
}

// Built beside the old program and then put in its place: a command that runs meanwhile finds one or the other.
const name = `dist-${process.pid}`
const beside = join(root, name)
const packages = await bundle(beside)
writeFileSync(join(beside, 'console.js'), await bundleConsoleScript())
writeFileSync(join(beside, 'THIRD-PARTY-NOTICES.txt'), noticesOf(packages))
const plugin = await pluginIn(name)
await writeHelp(plugin, beside)
writeManuals(beside)
const old = join(root, `dist-old-${process.pid}`)
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
renameSync(beside, join(root, 'dist'))
rmSync(old, { recursive: true, force: true })
writeManifest(plugin)
