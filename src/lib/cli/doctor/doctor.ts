/** The whole report: it looks, and changes nothing. Each part is looked at whatever the others found. */
import { arch, platform } from 'node:os'
import { resolve } from 'node:path'
import { hint } from '../../hint.ts'
import { type PlatformDirectories, places as placesIn } from '../../home.ts'
import { storeNamed } from '../../profile/store-named.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { finding, inWords, type OpenFinding, type Report } from './finding.ts'
import { lookAtJournal } from './journal.ts'
import { lookAtHome, lookAtModes } from './modes.ts'
import { lookAtProfile } from './profile.ts'
import { lookAtService } from './service.ts'

/** The oldest Node that runs it, by package.json. */
const oldestNode = [20, 19]

const obeyed =
  /^(?:PAYDESK_[A-Z_]+|NODE_(?:OPTIONS|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|TZ|NO_COLOR|CLICOLOR_FORCE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)$/

export interface LookedOver {
  readonly report: Report
  readonly isDamaged: boolean
}

/** Throws credentials (4) for a profile that does not exist. */
export async function lookedAt(
  invocation: Invocation,
  flags: SharedFlags,
  directories: PlatformDirectories,
): Promise<LookedOver> {
  const { edge, version, naming, output } = invocation
  const { env } = edge
  const places = placesIn(env, directories)
  const home = env.PAYDESK_HOME ? resolve(env.PAYDESK_HOME) : null
  const profile = await lookAtProfile(flags.profile, places.config, invocation)
  const services: OpenFinding[] = []
  const limits = {
    connectTimeout: flags['connect-timeout'] ?? 5_000,
    answerTimeout: flags['answer-timeout'] ?? 10_000,
    trace: (line: string) => (flags.trace ? output.trace(line) : undefined),
  }
  for (const part of profile.parts) services.push(...(await lookAtService(part, invocation, limits)))
  const team = places.team ?? storeNamed(places.config, profile.name)?.address ?? null
  const journal = await lookAtJournal(places.journal, team, invocation)
  const all = [
    ofProgram(version),
    lookAtHome(places, home),
    ...lookAtModes(places, home, profile.stored),
    ...profile.found,
    ...services,
    ...journal.found,
  ]
  const report: Report = {
    healthy: all.every(({ verdict }) => verdict !== 'bad'),
    at: new Date(edge.clock.now()).toISOString(),
    version,
    node: process.version,
    system: `${platform()} ${arch()}`,
    profile: profile.name,
    environment: profile.environment,
    variables: Object.keys(env)
      .filter((name) => obeyed.test(name) && env[name])
      .toSorted(),
    findings: all.map((each) => inWords(each, naming)),
    payments: journal.payments,
    warnings: [],
  }
  return { report: output.redactor.cleanAll(report), isDamaged: journal.isDamaged }
}

function ofProgram(version: string): OpenFinding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [most = 0, least = 0] = oldestNode
  const says = `version ${version} on Node ${process.versions.node}`
  if (major > most || (major === most && minor >= least)) return finding('program', 'good', says)
  return finding('program', 'bad', `${says}, which is too old`, hint`Use Node ${oldestNode.join('.')} or newer.`)
}
