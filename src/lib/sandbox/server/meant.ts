/** The path that a request may have meant which came to one that does not exist: in words, for the log. */
import { withoutEnds } from '../../ends.ts'
import { servedOperations } from '../routes.ts'

const isVersion = (segment: string) => /^v\d{1,3}$/.test(segment)

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

const unversioned = (path: string) =>
  segmentsOf(path)
    .filter((segment) => !isVersion(segment))
    .join('/')

const paths = [...new Set(servedOperations.map(({ path }) => path))]

/** The longest path with which this one ends: what stands before it is a prefix. */
function endIn(path: string): string | null {
  const found = paths.filter((each) => path.endsWith(each)).toSorted((one, other) => other.length - one.length)
  return found[0] ?? null
}

function aboutPrefix(before: string, rest: string, prefix: string): string {
  const given = `/${withoutEnds(before, '/')}`
  if (prefix === '')
    return `${rest} stands without a prefix here: \`sandbox start --base-path ${given}\` puts it below ${given}`
  const wrong =
    given === `${prefix}${prefix}`
      ? `the prefix ${prefix} stands there twice`
      : `the prefix of this sandbox is ${prefix}, not ${given}`
  return `${wrong}: ${prefix}${rest} is meant`
}

/** `prefix` is that of the server, with one slash before it; empty for none. Null where nothing like it exists. */
export function meantPath(path: string, prefix: string): string | null {
  const tidy = `/${segmentsOf(path).join('/')}`
  const own = prefix !== '' && tidy.startsWith(`${prefix}/`) ? tidy.slice(prefix.length) : tidy
  const exact = paths.find((each) => each === own)
  if (exact) {
    const where = path.endsWith('/') ? 'at its end' : 'in it'
    return `the path has a slash too many ${where}: ${exact} is meant`
  }
  const end = endIn(tidy)
  if (end) return aboutPrefix(tidy.slice(0, -end.length), end, prefix)
  const longer = paths.find((each) => each.endsWith(own) && segmentsOf(own).length > 1)
  if (longer) return `the beginning of the path is missing: ${longer} is meant`
  const other = paths.find((each) => unversioned(each) === unversioned(own))
  if (other) return `the path is of another version: ${other} is meant`
  const lower = paths.find((each) => each.toLowerCase() === own.toLowerCase())
  return lower ? `capitals count in a path: ${lower} is meant` : null
}
