/**
 * The notices of everything that is bundled: whose it is, under which licence, and the licence's own words. Every licence asks
 * for that where copies go; MPL-2.0 also asks to say where the source is, so every entry does.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly homepage?: string
  readonly repository?: string | { readonly url: string }
}

const home = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** The folders of the packages that modules come from, each once, by name. */
export function packagesOf(moduleIds: readonly string[]): readonly string[] {
  const folders = moduleIds.flatMap((id) => home.exec(id.replaceAll('\\', '/'))?.[1] ?? [])
  return [...new Set(folders)].sort((one, other) => nameOf(one).localeCompare(nameOf(other), 'en'))
}

const nameOf = (folder: string) => folder.split('/node_modules/').at(-1) ?? ''

const mit = (author: string) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

const isc = (author: string) => `ISC License

Copyright (c) ${author}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided
that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`

/**
 * Packages without a licence file, and what stands in its place. standardwebhooks names MIT in its manifest and leaves the file
 * out; it stays because it is the reference of the signature it checks, and MIT's words are known. saxes does so with ISC; it
 * stays because other parsers of XML streams let through what is not well-formed. pg-types and pgpass belong to pg: the words
 * of MIT stand in their README and their manifest.
 */
const withoutFile: Readonly<Record<string, (author: string) => string>> = {
  ...{ saxes: isc, standardwebhooks: mit },
  ...{ 'pg-types': mit, pgpass: mit },
}

function authorOf({ author, name }: Manifest): string {
  return typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`)
}

/** The licence's own words. Throws where a package has none and nothing is known to stand in its place. */
function licenceIn(folder: string, manifest: Manifest): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)\b/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const instead = withoutFile[manifest.name]
  if (!instead)
    throw new Error(`${manifest.name} has no licence file: replace it, or say in scripts/build/notices.mts why not`)
  return instead(authorOf(manifest))
}

function sourceOf({ repository, homepage, name }: Manifest): string {
  const url = typeof repository === 'string' ? repository : repository?.url
  if (url === undefined) return homepage ?? `npm: ${name}`
  const clean = url.replace(/^git\+/, '').replace(/\.git$/, '')
  return /^[\w.-]+\/[\w.-]+$/.test(clean) ? `https://github.com/${clean}` : clean
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function entryOf(folder: string): string {
  const manifest = readManifest(folder)
  const head = `${manifest.name} ${manifest.version} (${manifest.license})\nSource: ${sourceOf(manifest)}`
  return `${head}\n\n${licenceIn(folder, manifest)}`
}

/** The notices of the packages in these folders, one text. */
export function noticesOf(folders: readonly string[]): string {
  const title =
    'paydesk contains these packages, bundled into dist/. Each is the work of its authors, under its licence.'
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return `${[title, ...folders.map(entryOf)].join(rule)}\n`
}
