/** The program as CommonJS chunks: a file per command, what they share in chunks, native packages left where they are. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

function commandsBelow(directory: string, path = ''): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true }).flatMap((entry) => {
    const here = path ? `${path}/${entry.name}` : entry.name
    return entry.isDirectory() ? commandsBelow(directory, here) : [here.replace(/\.ts$/, '')]
  })
}

const commands = commandsBelow('src/commands').map((name) => [`commands/${name}`, `src/commands/${name}.ts`])

export default defineConfig({
  input: { main: 'src/main.ts', ...Object.fromEntries(commands) },
  platform: 'node',
  // oclif asks for these where they exist; bundled, they would drag TypeScript in.
  external: ['typescript', 'ts-node', 'tsx', '@photostructure/sqlite', '@napi-rs/keyring'],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
    exports: 'named',
  },
})
