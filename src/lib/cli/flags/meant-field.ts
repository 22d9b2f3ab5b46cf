/** Keys of a file that no field has: each complaint with the key that was meant, where one is near. */
import { fieldsOf } from '../../contract/core/field.ts'
import type { Operation, Violation } from '../../contract/operation.ts'
import { orMeant } from '../../nearest.ts'

type Request = Operation['request']

/** The names that a member may have at the end of this way; steps into lists and maps have no names of their own. */
function namesAt(request: Request, way: readonly (string | number)[]): readonly string[] {
  const [first, ...rest] = way
  if (first === undefined) return fieldsOf(request).map(({ name }) => name)
  const inner = fieldsOf(request).find(({ name }) => name === first)?.members
  return namesAt(inner ?? request, rest)
}

export async function withMeant(
  { request }: Operation,
  violations: readonly Violation[],
): Promise<readonly Violation[]> {
  const told = violations.map(async (each): Promise<Violation> => {
    const way = [each.field, ...each.within]
    const [said = '', listed] = each.message.split('; there are ')
    const isStrange = each.message.startsWith('is no field of')
    const isListed = listed !== undefined && said.startsWith('is no ')
    const names = isListed ? listed.split(', ') : isStrange ? namesAt(request, way.slice(0, -1)) : []
    const meant = await orMeant(String(way.at(-1)), names)
    return { ...each, message: `${each.message}${meant}` }
  })
  return Promise.all(told)
}
