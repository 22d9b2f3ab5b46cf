/** Every bundled package is named: its notices are shipped with it, and the bill of materials lists every part. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundle } from '../scripts/build/program.mts'

const root = join(import.meta.dirname, '..')
const packages = await bundle()
const manifests = packages.map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

test('the notices hold every bundled package with its licence, its source and its words', () => {
  const entries = readFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    .split(`\n${'-'.repeat(80)}\n`)
    .slice(1)
  expect(entries).toHaveLength(manifests.length)
  for (const [at, { name, version, license }] of manifests.entries()) {
    const [head = '', source = '', ...words] = entries[at]?.trim().split('\n') ?? []
    expect(head).toBe(`${name} ${version} (${license})`)
    expect(source, name).toMatch(/^Source: \S+/)
    expect(words.join(' ').length, name).toBeGreaterThan(200)
  }
})

/** True if one of the alternatives of a range takes this version: `>=20`, `^20.17.0`, `>=v12.22.7`, `10.* || >= 12.*`. */
function takes(range: string, [major = 0, minor = 0]: readonly number[]): boolean {
  return range.split('||').some((each) => {
    const [, how = '', first = '0', second = '0'] = /^\s*(>=|\^)?\s*v?(\d+)(?:\.(\d+))?/.exec(each) ?? []
    const isNewEnough = major > Number(first) || (major === Number(first) && minor >= Number(second))
    return how === '>=' ? isNewEnough : isNewEnough && major === Number(first)
  })
}

test('every bundled package runs on the oldest Node that paydesk promises', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const oldest = engines.node.replace('>=', '').split('.').map(Number)
  expect(takes('>=20.20', [20, 19])).toBe(false)
  expect(takes('^22.13.0', [20, 19])).toBe(false)
  const tooNew = manifests.filter((manifest) => manifest.engines?.node && !takes(manifest.engines.node, oldest))
  expect(tooNew.map(({ name }) => name)).toEqual([])
})

// npm reads the tree of all packages and bundles the program: 5 seconds on two cores, three times that on a busy machine.
test('the bill of materials lists what is bundled and what is installed', { timeout: 60_000 }, async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    maxBuffer: 8 * 1024 * 1024,
  })
  const { bomFormat, components } = JSON.parse(stdout)
  expect(bomFormat).toBe('CycloneDX')
  const listed = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const expected = [...manifests, ...Object.entries(dependencies).map(([name, version]) => ({ name, version }))]
  expect(listed).toEqual(expect.arrayContaining(expected.map(({ name, version }) => `${name}@${version}`)))
})
