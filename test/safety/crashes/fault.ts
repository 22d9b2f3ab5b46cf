/** The faults of the sandbox, as the hostile service plays them. */
import { type Conduct, coded, plain, type Say } from '../answers/service.ts'
import type { Fault } from './cells.ts'

const html = { http: 502, headers: { 'content-type': 'text/html' }, body: '<html><body>Bad Gateway</body></html>' }

const says: Readonly<Record<NonNullable<Fault>['kind'], Say>> = {
  reset: () => 'reset',
  hang: () => 'hang',
  html502: () => html,
  json500: () => coded(500, 6009, 7),
  truncate: ({ success, sealed }) => ({ http: 200, body: sealed(success), cutAfter: 20 }),
  garbage: () => ({ http: 200, headers: { 'content-type': 'application/json' }, body: '\u0000<<not json>>{"' }),
  '401': () => plain(401, { message: 'Unauthorized' }),
  '429': () => plain(429, { message: 'Too many requests' }, { 'retry-after': '0' }),
  'half-written': ({ success, sealed }) => ({ http: 200, body: sealed(success), stopAfter: 20 }),
}

export function conductOf(fault: Fault): Conduct {
  return fault === null ? { execute: true, say: null } : { execute: fault.at === 'after', say: says[fault.kind] }
}
