/**
 * Builds what bin/run.js runs: CommonJS chunks (a file per command, what they share beside them, native packages left where
 * they are) and oclif's manifest, so that only the command that runs is loaded.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Plugin } from '@oclif/core'
import { build } from 'rolldown'

const root = join(import.meta.dirname, '..')

function commandsBelow(directory: string, path = ''): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) => {
    const here = path ? `${path}/${entry.name}` : entry.name
    return entry.isDirectory() ? commandsBelow(directory, here) : [here.replace(/\.ts$/, '')]
  })
}

async function bundle(directory: string): Promise<void> {
  const commands = commandsBelow(join(root, 'src/commands')).map((name) => [
    `commands/${name}`,
    `src/commands/${name}.ts`,
  ])
  await build({
    cwd: root,
    logLevel: 'warn',
    input: { main: 'src/main.ts', ...Object.fromEntries(commands) },
    platform: 'node',
    // oclif asks for the first three where they exist; bundled, they would drag TypeScript in.
    external: ['typescript', 'ts-node', 'tsx', '@photostructure/sqlite', '@napi-rs/keyring'],
    output: {
      dir: directory,
      format: 'cjs',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      cleanDir: true,
      exports: 'named',
    },
  })
}

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
await bundle(beside)
const old = join(root, `dist-old-${process.pid}`)
if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), old)
renameSync(beside, join(root, 'dist'))
rmSync(old, { recursive: true, force: true })
await writeManifest()
