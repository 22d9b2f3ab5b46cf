/**
 * The program as CommonJS chunks: a file per command, what they share beside them, native packages left where they are, so
 * that only the command that runs is loaded.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { packagesOf } from './notices.mts'
import { ownLines } from './own-lines.mts'
import { slim } from './slim.mts'

const root = join(import.meta.dirname, '..', '..')

function commandsBelow(directory: string, path = ''): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) => {
    const here = path ? `${path}/${entry.name}` : entry.name
    return entry.isDirectory() ? commandsBelow(directory, here) : [here.replace(/\.ts$/, '')]
  })
}

/**
 * A map tells where a line of ours comes from; the text of the sources is in the repository. Of what is
 * not ours the map tells only that it is there.
 */
function leaveOut(file: string): void {
  if (!file.endsWith('.map')) return
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(file, 'utf8'))
  const isOurs = map.sources.some((source: string) => !source.includes('/node_modules/'))
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: isOurs ? ownLines(map) : '' }))
}

/** The packages that are bundled. With a directory, the chunks are written there. */
export async function bundle(directory?: string): Promise<readonly string[]> {
  const commands = commandsBelow(join(root, 'src/commands')).map((name) => [
    `commands/${name}`,
    `src/commands/${name}.ts`,
  ])
  const { output } = await build({
    cwd: root,
    write: directory !== undefined,
    logLevel: 'warn',
    input: { main: 'src/main.ts', ...Object.fromEntries(commands) },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    plugins: [slim()],
    // oclif asks for the first three where they exist; bundled, they would drag TypeScript in.
    external: ['typescript', 'ts-node', 'tsx', '@photostructure/sqlite', '@napi-rs/keyring'],
    output: {
      ...(directory === undefined ? {} : { dir: directory, cleanDir: true }),
      format: 'cjs',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      exports: 'named',
      minify: true,
      minifyInternalExports: false,
      // Not pointed at: what a defect says is mapped when it is told.
      sourcemap: 'hidden',
    },
  })
  if (directory !== undefined) for (const { fileName } of output) leaveOut(join(directory, fileName))
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  return packagesOf(modules)
}
