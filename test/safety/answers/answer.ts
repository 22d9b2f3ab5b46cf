/** One answer of the fault table: what goes over the wire, and the class that the rules speak of. */
import { coded, type Reply, type Say, type Saying } from './service.ts'

/** A code of area A, and one of areas B to D with its group. */
export interface Codes {
  readonly inA: number
  readonly elsewhere: readonly [code: number, group: number | null]
}

/** A member that tells how much goes to whom. */
export type SumMember = 'amount' | 'currency' | 'toIban'

export type AnswerClass =
  /** Not a byte left. */
  | { readonly is: 'unsent' }
  /** Nothing that the specification knows as an answer. */
  | { readonly is: 'indefinite' }
  /** The documented success. */
  | { readonly is: 'success' }
  /** The documented success, and members of which nothing is known beside its own. */
  | { readonly is: 'more' }
  /** A success without a body. */
  | { readonly is: 'empty' }
  /** A success whose members are all missing, name another object, or name none. */
  | { readonly is: 'hollow' | 'foreign' | 'nameless' }
  /** The documented success without a status, or with this one. */
  | { readonly is: 'status'; readonly status: string | null }
  /** The documented success, and beside it a member that tells of the sum in another way than the request. */
  | { readonly is: 'another-sum'; readonly member: SumMember; readonly isReadable: boolean }
  /** The documented success as it stands, not sealed. */
  | { readonly is: 'unsealed' }
  /** `besideSuccess`: the documented success stands in it, too: its members among those of the code, or sealed beside them. */
  | { readonly is: 'coded'; readonly codes: Codes; readonly http: number; readonly besideSuccess?: 'among' | 'sealed' }
  | { readonly is: 'turned-away'; readonly by: 'token' | 'rate' | 'redirect' }
  | { readonly is: 'bad-token' }
  /** The service has this id already. */
  | { readonly is: 'duplicate' }

export interface Answer {
  readonly name: string
  readonly is: AnswerClass
  /** `refused`: nothing listens. */
  readonly say: Say | 'refused'
}

export const json = { 'content-type': 'application/json' }
export const anotherId = '1c6f1f1e-9b3d-4f1f-8a64-6e2f4f2f8b22'

export const ok =
  (body: (saying: Saying) => string | Buffer, headers: Readonly<Record<string, string>> = json): Say =>
  (saying) => ({ http: 200, headers, body: body(saying) })

export const said =
  (reply: Reply): Say =>
  () =>
    reply

export const indefinite = (name: string, say: Say): Answer => ({ name, is: { is: 'indefinite' }, say })

/** The documented success with this status. */
export const withStatus = (status: string): Answer => ({
  name: `a success with the status ${status}`,
  is: { is: 'status', status },
  say: ok(({ success, sealed }) => sealed({ ...success, status })),
})

/** No sum at all: too large to be counted. */
export const unreadableSum = '1e999'

/** The documented success with this member in the place of the sum that was sent. */
export const withSum = (name: string, member: SumMember, value: unknown): Answer => ({
  name,
  is: { is: 'another-sum', member, isReadable: value !== unreadableSum },
  say: ok(({ success, sealed }) => sealed({ ...success, [member]: value })),
})

/** The documented success, and beside it members that speak of an error. */
export const withError = (name: string, members: object): Answer => ({
  ...withMore(name, members),
  is: { is: 'indefinite' },
})

/** The documented success, and beside it members of which nothing is known. */
export const withMore = (name: string, members: object): Answer => ({
  name,
  is: { is: 'more' },
  say: ok(({ success, sealed }) => sealed({ ...success, ...members })),
})

/** A status that turns away, over the documented success. */
export const turnedAwayWithSuccess = (http: number): Answer => ({
  name: `${http} with the body of a success`,
  is: { is: 'indefinite' },
  say: ({ success, sealed }) => ({
    http,
    headers: { ...json, location: 'http://127.0.0.1:1/elsewhere' },
    body: sealed(success),
  }),
})

export const byCode = (name: string, codes: Codes, http = 400): Answer => ({
  name,
  is: { is: 'coded', codes, http },
  say: ({ write }) =>
    write.area === 'A' ? coded(http, codes.inA, null) : coded(http, codes.elsewhere[0], codes.elsewhere[1]),
})

/** Hands out a code of a refusal beside what looks like a success. */
export const refusing: Codes = { inA: 5042, elsewhere: [6053, 1] }

export function refusalIn(members: object, { write }: Saying): object {
  const [statusCode, exceptionGroup] = write.area === 'A' ? [refusing.inA, undefined] : refusing.elsewhere
  return { ...members, message: 'refused', statusCode, exceptionGroup }
}

export const redirect = (http: number): Say =>
  said({ http, headers: { location: 'http://127.0.0.1:1/elsewhere' }, body: '' })
