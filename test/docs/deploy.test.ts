/**
 * The files of docs/deploy: parsed, and their commands run as they stand by the built program, over a real Postgres that speaks TLS
 * with the certificate that the compose file tells how to make. Only names, ports and addresses are others.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { employees, payroll } from '../kit/batch.ts'
import { ownPostgresServer } from '../kit/postgres.ts'
import { type Running, start } from '../kit/process.ts'
import { newHome, succeeds } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { ledgerService } from '../kit/service.ts'
import { freePort, until } from '../kit/tools.ts'

vi.setConfig({ testTimeout: 120_000 })

const root = join(import.meta.dirname, '..', '..')
const read = (name: string) => readFileSync(join(root, 'docs', 'deploy', name), 'utf8')
const server = ownPostgresServer()

/** YAML whose keys come once each; complaints of the parser end the test. */
function yamlOf(name: string): unknown {
  const document = parseDocument(read(name), { uniqueKeys: true })
  expect([document.errors, document.warnings]).toEqual([[], []])
  return document.toJS()
}

const words = z.array(z.string())
const pairs = z.record(z.string(), z.string())

const compose = z
  .object({
    services: z.object({
      db: z.object({ entrypoint: words, command: words, secrets: words }),
      worker: z.object({
        image: z.string(),
        entrypoint: words,
        environment: pairs,
        healthcheck: z.object({ test: words }),
        stop_grace_period: z.string(),
      }),
    }),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
  })
  .parse(yamlOf('compose.yaml'))

const container = z.object({
  image: z.string(),
  args: words,
  env: z.array(z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() })),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
})
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('metrics') }) })

const deployment = z
  .object({
    kind: z.literal('Deployment'),
    spec: z.object({
      template: z.object({
        spec: z.object({
          terminationGracePeriodSeconds: z.number(),
          initContainers: z.tuple([container]),
          containers: z.tuple([container.extend({ livenessProbe: probe, readinessProbe: probe })]),
        }),
      }),
    }),
  })
  .parse(yamlOf('kubernetes.yaml'))

/** The settings of a unit's section; every line is one, or a comment. */
function settingsOf(text: string, section: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let here = ''
  for (const line of text.split('\n')) {
    const [, header] = /^\[(\w+)\]$/.exec(line) ?? []
    if (header !== undefined) here = header
    if (header !== undefined || line === '' || line.startsWith('#')) continue
    const [, name = '', value = ''] = /^(\w+)=(.+)$/.exec(line) ?? []
    expect(name, line).not.toBe('')
    if (here === section) found.set(name, [...(found.get(name) ?? []), value])
  }
  return found
}

const unit = settingsOf(read('paydesk-worker.service'), 'Service')

interface Deployed {
  readonly profile: readonly string[]
  readonly worker: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The words behind `paydesk` in a line of a shell or of a unit that quotes nothing. */
function argvIn(line: string): readonly string[] {
  expect(line).not.toMatch(/['"$\\]/)
  const [before = '', after = ''] = line.split(/\bpaydesk (.*)$/s)
  expect(before).toMatch(/^(\/usr\/bin\/env |exec |)$/)
  return after.trim().split(/\s+/)
}

function fromCompose(): Deployed {
  const { entrypoint, environment: env } = compose.services.worker
  expect(entrypoint.slice(0, 2)).toEqual(['sh', '-c'])
  const [profile = '', worker = ''] = String(entrypoint[2]).split(' && ')
  return { profile: argvIn(profile), worker: argvIn(worker), env }
}

function fromUnit(): Deployed {
  const of = (name: string) => unit.get(name)?.[0] ?? ''
  const env = (unit.get('Environment') ?? []).map((each) => /^(\w+)=(.*)$/.exec(each)?.slice(1) ?? [])
  return {
    profile: argvIn(of('ExecStartPre')),
    worker: argvIn(of('ExecStart')),
    env: pairs.parse(Object.fromEntries(env)),
  }
}

function fromCluster(): Deployed {
  const { initContainers, containers } = deployment.spec.template.spec
  const [{ args: profile }] = initContainers
  const [{ args: worker, env }] = containers
  return { profile, worker, env: Object.fromEntries(env.flatMap(({ name, value }) => (value ? [[name, value]] : []))) }
}

/** The certificate, by the very command of the compose file, for this machine instead of the host `db`. */
function madeCertificate(): { readonly key: string; readonly certificate: string } {
  const [, command = ''] = /^# {3}(openssl .*)$/m.exec(read('compose.yaml')) ?? []
  const folder = temporaryDirectory('tls')
  const line = command.replace('CN=db', 'CN=localhost').replace('DNS:db', 'DNS:localhost')
  execFileSync('sh', ['-c', line], { cwd: folder, stdio: 'ignore' })
  return { key: join(folder, 'db.key'), certificate: join(folder, 'db.crt') }
}

/** Turns TLS on by the settings of the compose file, with the files where this server may read them. */
async function withTls(address: string): Promise<string> {
  const { key, certificate } = madeCertificate()
  const [{ data_directory: data }] = z
    .tuple([z.object({ data_directory: z.string() })])
    .parse(await server.run(address, 'show data_directory'))
  const { uid, gid } = statSync(data)
  const settings = compose.services.db.command.filter((word) => word !== '-c' && word !== 'postgres')
  expect(settings.map((each) => each.split('=')[0])).toEqual(['ssl', 'ssl_cert_file', 'ssl_key_file'])
  for (const [from, name] of [
    [certificate, 'db.crt'],
    [key, 'db.key'],
  ] as const) {
    const path = join(data, name)
    copyFileSync(from, path)
    chmodSync(path, 0o600)
    if (process.getuid?.() === 0) chownSync(path, uid, gid)
  }
  for (const setting of settings) {
    const [name = '', value = ''] = setting.split('=')
    const here = value.endsWith('.crt') ? join(data, 'db.crt') : value.endsWith('.key') ? join(data, 'db.key') : value
    await server.run(address, `alter system set ${name} = '${here}'`)
  }
  await server.run(address, 'select pg_reload_conf()')
  await until('it speaks TLS', async () => {
    const [row] = await server.run(address, 'show ssl')
    return row?.ssl === 'on'
  })
  return certificate
}

/** The same words with other places. */
const instead = (argv: readonly string[], places: readonly (readonly [string, string])[]) =>
  argv.map((word) => places.reduce((text, [from, to]) => text.replace(from, to), word))

async function ready({ child, end }: Running, url: string): Promise<void> {
  let hasEnded = false
  void end.then(() => {
    hasEnded = true
  })
  await until('it is ready', async () => {
    if (hasEnded) throw new Error(`it ended: ${(await end).stderr}`)
    const answer = await fetch(url).catch(() => null)
    return answer?.status === 200
  }).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
}

test.each([
  ['compose.yaml', fromCompose],
  ['paydesk-worker.service', fromUnit],
  ['kubernetes.yaml', fromCluster],
] as const)('the commands of %s, over TLS: profile, worker, a batch, SIGTERM', async (_name, deployed) => {
  const { profile, worker, env } = deployed()
  const { service, executed } = await ledgerService()
  const address = await server.newAddress()
  const certificate = await withTls(address)
  const port = String(await freePort())
  const home = newHome()
  const own = new URL(address)
  const store = new URL(String(env.PAYDESK_STORE))
  expect(store.searchParams.get('sslmode')).toBe('verify-full')
  expect(env.NODE_EXTRA_CA_CERTS).toMatch(/db\.crt$/)
  const [user, options] = [own.username, own.search.slice(1)]
  const here = `postgres://${user}@localhost:${own.port}${own.pathname}?${store.search.slice(1)}&${options}`
  const around = {
    ...{ PAYDESK_STORE: here, NODE_EXTRA_CA_CERTS: certificate, PGPASSWORD: process.env.PGPASSWORD ?? '' },
    PAYDESK_CLIENT_SECRET: 'secret-of-the-deployed',
  }
  const places = [
    ['https://payments.bank.example', service.url],
    ['live', 'test'],
    ['9464', port],
  ] as const
  for (let twice = 0; twice < 2; twice += 1) {
    await succeeds(start(instead(profile, places), home, around).end)
  }
  const running = start(instead(worker, places), home, around)
  await ready(running, `http://127.0.0.1:${port}/readyz`)
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  const file = join(home, 'payroll.csv')
  writeFileSync(file, payroll(employees(3)))
  const run = (argv: readonly string[]) => start([...argv, '--json'], home, around).end
  const planned = await succeeds(run(['batch', 'plan', file, '--key-column', 'key', '-p', 'payroll']))
  const { planId } = JSON.parse(planned.stdout)
  await succeeds(run(['batch', 'run', planId, '--workers', '--confirm', 'GEL 6.75']))
  expect(executed.size).toBe(3)
  // Of all connections but the one that asks, the worker's are encrypted.
  const [lines] = await server.run(
    address,
    `select count(*) filter (where ssl)::int as sealed, count(*) filter (where not ssl)::int as plain
     from pg_stat_ssl join pg_stat_activity using (pid) where pid <> pg_backend_pid() and client_addr is not null`,
  )
  expect(lines).toMatchObject({ plain: 0 })
  expect(Number(lines?.sealed)).toBeGreaterThan(0)
  // Without trust in the certificate there is no connection.
  const { NODE_EXTRA_CA_CERTS: _, ...trusting } = around
  const refused = await start(['worker', 'list', '--json', '--timeout', '2s'], home, trusting).end
  expect(refused.code, refused.stderr).toBe(11)
  running.child.kill('SIGTERM')
  const { code, stderr } = await running.end
  expect(code, stderr).toBe(0)
})

test('what they say beside the commands is so', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Nobody owns the name in the registry: the image is made of the packed file.
  expect(read('Dockerfile')).toContain(
    `COPY paydesk-${version}.tgz /tmp/\nRUN npm install --global /tmp/paydesk-${version}.tgz `,
  )
  for (const page of ['Dockerfile', 'compose.yaml', 'kubernetes.yaml', 'paydesk-worker.service'])
    expect(read(page)).not.toMatch(/npm (?:install|i) [^\n]*\bpaydesk(?:@|$)/m)
  expect(read('Dockerfile')).toContain(`-t paydesk:${version} `)
  const { spec } = deployment.spec.template
  expect([compose.services.worker.image, spec.containers[0].image, spec.initContainers[0].image]).toEqual(
    Array.from({ length: 3 }, () => `paydesk:${version}`),
  )
  // Longer than the two minutes of --timeout.
  const patience = [compose.services.worker.stop_grace_period, `${spec.terminationGracePeriodSeconds}s`]
  for (const each of [...patience, `${unit.get('TimeoutStopSec')?.[0]}s`])
    expect(Number.parseInt(each, 10)).toBeGreaterThan(120)
  expect(spec.containers[0].livenessProbe.httpGet.path).toBe('/healthz')
  expect(spec.containers[0].readinessProbe.httpGet.path).toBe('/readyz')
  expect(compose.services.worker.healthcheck.test.slice(0, 3)).toEqual(['CMD', 'node', '-e'])
  expect(unit.get('RestartPreventExitStatus')).toEqual(['2 4'])
  // No secret stands in any of them, and none is an argument.
  for (const name of ['compose.yaml', 'paydesk-worker.service', 'kubernetes.yaml'])
    expect(read(name)).not.toMatch(/(?:PASSWORD|SECRET)=(?!…|\$)\S/)
})

test('the health check of the compose file says how the worker stands', async () => {
  const [, node = '', ...argv] = compose.services.worker.healthcheck.test
  expect(node).toBe('node')
  let status = 503
  const stub = createServer((_, answer) => answer.writeHead(status).end())
  const port = await freePort()
  await new Promise<void>((resolve) => {
    stub.listen(port, '127.0.0.1', resolve)
  })
  const check = () =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, instead(argv, [['9464', String(port)]])).on('close', resolve)
    })
  expect(await check()).toBe(1)
  status = 200
  expect(await check()).toBe(0)
  stub.closeAllConnections()
  await new Promise((resolve) => stub.close(resolve))
  expect(await check()).toBe(1)
})
