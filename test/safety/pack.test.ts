/** The package as npm makes and installs it: the program runs from it, and nothing that it needs is missing. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { cleanEnv } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

/** Bytes of the files below a folder: the blocks of a disk are its own affair. */
async function bytes(folder: string): Promise<number> {
  return Number((await run('du', ['-sb', folder])).stdout.split('\t')[0])
}

/** Every link of a packed page leads to a file of the package. */
async function linksLeadSomewhere(folder: string): Promise<void> {
  for (const page of ['README.md', 'SECURITY.md']) {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(
      ([, to = '']) => to,
    )
    expect(links.length, page).toBeGreaterThan(0)
    for (const link of links) expect(existsSync(join(folder, link)), `${page}: ${link}`).toBe(true)
  }
}

// npm packs and installs; the registry is asked where its cache lacks a package.
test('npm pack, and npm install -g of the tarball into an empty folder: paydesk pays, lists, and has its man pages', {
  timeout: 300_000,
}, async () => {
  const [folder, home] = [newHome(), newHome()]
  const prefix = join(folder, 'prefix')
  mkdirSync(prefix)
  // The files in dist were built for these tests; building them anew here would pull them away from under the others.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  expect(tarball).toBeDefined()
  const packed = await run('tar', ['-tzf', join(folder, String(tarball))])
  expect(packed.stdout).toContain('package/dist/console.js\n')
  await run(
    'npm',
    [
      ...['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit'],
      ...['--no-fund', join(folder, String(tarball))],
    ],
    { cwd: folder },
  )
  // Itself and the two native packages, with what they need.
  const installed = readdirSync(join(prefix, 'lib', 'node_modules', 'paydesk', 'node_modules'), { recursive: true })
  expect(installed.filter((each) => String(each).endsWith('package.json')).length).toBeLessThanOrEqual(8)
  expect(await bytes(prefix)).toBeLessThan(41_000_000)
  await linksLeadSomewhere(join(prefix, 'lib', 'node_modules', 'paydesk'))
  const paydesk = (...argv: string[]) => run(join(prefix, 'bin', 'paydesk'), argv, { cwd: folder, env: cleanEnv(home) })
  const paid = await paydesk(...create(), '--json')
  expect(paid.stderr).toBe('')
  expect(JSON.parse(paid.stdout)).toMatchObject({ outcome: 'accepted', amount: 12.5, environment: 'sandbox' })
  const listed = await paydesk('journal', 'list', '--json')
  expect(JSON.parse(listed.stdout)).toHaveLength(1)
  const pages = readdirSync(join(prefix, 'share', 'man', 'man1'))
  expect(pages.toSorted()).toEqual(readdirSync(join(root, 'dist', 'man')).toSorted())
  expect(readFileSync(join(prefix, 'share', 'man', 'man1', 'paydesk-payout.1'), 'utf8')).toContain('.SH NAME')
  const version = await paydesk('--version')
  expect(version.stdout).toMatch(/^paydesk\/\d+\.\d+\.\d+/)
})
