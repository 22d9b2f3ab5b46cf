/** The files of the repository that the figures are about. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Source, sourceOf } from './source.mts'

export interface Tree {
  /** The program and the tools of the repository: sizes are theirs. */
  readonly program: readonly Source[]
  readonly programPaths: readonly string[]
  /** The program alone: names are its own. */
  readonly src: readonly Source[]
  /** With the tests, the starters and the pages. */
  readonly all: readonly Source[]
  readonly exists: (path: string) => boolean
}

const pages = ['README.md', 'src/README.md']

function pathsBelow(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .split(sep)
        .join('/'),
    )
    .toSorted()
}

export function treeOf(root: string): Tree {
  const paths = ['src', 'scripts', 'test', 'bin'].flatMap((folder) => pathsBelow(root, folder))
  const read = (path: string) => sourceOf(path, readFileSync(join(root, path), 'utf8'))
  const sources = paths.filter((path) => /\.(ts|mts|js)$/.test(path)).map(read)
  const isProgram = (path: string) => path.startsWith('src/') || path.startsWith('scripts/')
  return {
    program: sources.filter(({ path }) => isProgram(path)),
    programPaths: paths.filter(isProgram),
    src: sources.filter(({ path }) => path.startsWith('src/')),
    all: [...sources, ...pages.map(read)],
    exists: (path) => existsSync(join(root, path)),
  }
}
