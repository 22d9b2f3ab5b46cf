/**
 * The bill of materials of an installed paydesk, as CycloneDX 1.5 on stdout: `npm run --silent sbom > sbom.json`. Its parts are
 * the packages that are bundled into dist/ and those that are installed beside it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './build/program.mts'

const root = join(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
}

const read = <Shape,>(path: string): Shape => JSON.parse(readFileSync(path, 'utf8'))

const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function component({ name, version, license }: Manifest, how: 'bundled' | 'installed') {
  const licences =
    license === undefined
      ? {}
      : { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] }
  const properties = [{ name: 'paydesk:how', value: how }]
  return {
    type: 'library',
    'bom-ref': purl(name, version),
    name,
    version,
    ...licences,
    purl: purl(name, version),
    properties,
  }
}

/** The packages that npm installs with this one: all of the lock file that is not for development. */
function installed(): readonly Manifest[] {
  const { packages } = read<{ packages: Readonly<Record<string, Locked>> }>(join(root, 'package-lock.json'))
  return Object.entries(packages).flatMap(([path, { dev, devOptional, version, license }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (path === '' || dev || devOptional || version === undefined) return []
    return [{ name, version, ...(license === undefined ? {} : { license }) }]
  })
}

const bundled = (await bundle()).map((folder) => read<Manifest>(join(folder, 'package.json')))
const own = read<Manifest>(join(root, 'package.json'))
const parts = [
  ...bundled.map((manifest) => component(manifest, 'bundled')),
  ...installed().map((manifest) => component(manifest, 'installed')),
]
const { properties: _, ...application } = component(own, 'installed')
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { ...application, type: 'application' } },
  components: [...new Map(parts.map((part) => [part['bom-ref'], part])).values()],
}
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
