/** Registration of a user (specification B4: method and path only). Nothing of its payload is known: it is passed through. */
import { z } from 'zod'
import { scalarReceived } from './answer.ts'
import { argumentBreach } from './assumed.ts'
import { always, textForm } from './core/field.ts'
import { usualProof, type WriteOperation } from './operation.ts'
import { never } from './repeats.ts'

export const registerUser = {
  name: 'user.register',
  area: 'B',
  section: 'B4',
  summary: 'register a user, who can then receive payments',
  effect: 'write',
  label: 'Registration',
  done: 'registered',
  about: 'user',
  listedBy: 'payee',
  method: 'POST',
  path: '/api/integrator/user',
  carriedIn: 'body',
  wire: 'sealed',
  request: z.looseObject({}),
  rules: [],
  breachCode: argumentBreach,
  permission: null,
  answer: z.looseObject({ userId: scalarReceived.nullish() }),
  answerForms: { userId: always(textForm) },
  wrapped: false,
  emptyAnswer: false,
  statuses: null,
  idField: null,
  duplicateCode: null,
  duplicate: null,
  onlyOnce: null,
  repeats: () => never,
  remarks: () => [],
  proof: { ...usualProof, echoes: [], needs: ['userId'], isDone: (status) => status === null },
  evidence: null,
  payment: null,
  statusRemark: () => null,
  moves: () => ({ payee: 'user', amount: null, currency: null, price: null, guarded: false }),
} as const satisfies WriteOperation

export const userOperations = [registerUser] as const
