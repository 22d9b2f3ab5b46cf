/** A read of any path, as an operation that the contract does not have: so it is called, traced and told as every other one. */
import { z } from 'zod'
import type { Members } from '../../contract/core/members.ts'
import { type Operation, type ReadOperation, usualRead } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { type Part, partOf } from '../../profile/parts.ts'

interface AnyRead {
  readonly operation: ReadOperation
  /** The members of its query; they are sealed where the part asks for that. */
  readonly request: Members
  readonly part: Part
}

const identityMember: Readonly<Record<Exclude<Part, 'payouts'>, string>> = {
  orders: 'integratorId',
  wallet: 'identifier',
}

function operationsAt(path: string): readonly Operation[] {
  return operations.filter((each) => each.path === path)
}

function commandFor(operation: Operation): string {
  const isSignIn = operation.effect === 'read' && operation.gives === 'access token'
  return isSignIn ? 'token' : operation.name.replace('.', ' ')
}

interface Typed {
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly query: string
}

/** Throws usage (2) for what is no path below the address of the profile. */
function typedPath(text: string): Typed {
  const hints = [hint`\`${paste('api', 'GET', '/api/distributor/balance/check?currency=GEL')}\` is one.`]
  if (/^[a-z][a-z0-9+.-]*:/i.test(text))
    throw new Failure('usage', 'give only the path; the address comes from the profile', { hints })
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(text) || /[#\\]|(?:^|\/)\.\.?(?:\/|$|\?)/.test(text)) {
    const why = 'it begins with one slash, and has neither blanks nor dots to climb by'
    throw new Failure('usage', `"${text}" is not a path: ${why}`, { hints })
  }
  const at = text.indexOf('?')
  return at < 0 ? { path: text, query: '' } : { path: text.slice(0, at), query: text.slice(at) }
}

function membersIn(query: string): Members {
  const pairs = [...new URLSearchParams(query)]
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Failure('usage', `the query has "${twice}" twice, but it is sealed as one object`)
  return Object.fromEntries(pairs)
}

/** Throws usage (2) for everything but GET: with the command that sends it through the journal, where there is one. */
export function mustBeRead(typedMethod: string, typed: string): void {
  const method = typedMethod.toUpperCase()
  if (method === 'GET') return
  const { path } = typedPath(typed)
  const known = operationsAt(path).find((each) => each.method === method)
  if (known) {
    const why =
      known.effect === 'write' ? 'it must go through the journal, so that it is never sent twice' : 'it has a command'
    throw new Failure('usage', `${method} ${path} (${known.summary}) is not sent by this command: ${why}`, {
      hints: [hint`See \`${paste(commandFor(known), '--help')}\`.`],
    })
  }
  throw new Failure(
    'usage',
    `${method} ${path} is not sent: only GET is allowed, because writes must go through the journal`,
    {
      hints: [hint`\`${paste('commands')}\` lists the commands that write.`],
    },
  )
}

/** `part`: the one that was asked for; undefined for that of the path, or payouts. Throws usage (2). */
export function anyRead(typed: string, part: Part | undefined): AnyRead {
  const { path, query } = typedPath(typed)
  const known = operationsAt(path).find((each) => each.method === 'GET')
  const of = part ?? (known ? partOf(known) : 'payouts')
  const isSealed = of !== 'payouts'
  const operation: ReadOperation = {
    ...usualRead,
    name: 'api.get',
    area: ({ payouts: 'A', orders: 'B', wallet: 'C' } as const)[of],
    section: 'B2',
    summary: 'read a path',
    // A path that is not known may show one.
    showsPayment: known?.effect === 'read' ? known.showsPayment : true,
    thing: known?.effect === 'read' ? known.thing : null,
    method: 'GET',
    path: isSealed ? path : path + query,
    carriedIn: 'query',
    wire: ({ payouts: 'bearer', orders: 'sealed', wallet: 'wallet' } as const)[of],
    request: z.looseObject({}),
    breachCode: 0,
    answer: z.unknown(),
    wrapped: false,
    emptyAnswer: true,
  }
  return { operation, request: isSealed ? membersIn(query) : {}, part: of }
}

/** The request with the identity of the profile, where it is sealed and names none. */
export function asProfile({ request, part }: AnyRead, clientId: string): Members {
  return part === 'payouts' ? request : { [identityMember[part]]: clientId, ...request }
}
