/** A profile that does not exist, and one of a name near to it. */
import { type Hint, hint, typedAnew } from '../../hint.ts'
import { nearest } from '../../nearest.ts'
import { builtIn } from '../../profile/built-in.ts'
import { readableFlags } from '../flags/declared.ts'
import { tokensOf } from '../flags/typed-line.ts'
import type { CommandTerms } from './command-terms.ts'
import { shownTokens } from './shown-words.ts'

/** Advice to name the profile that was meant: the whole line where a flag names it. None where no name is near. */
export async function otherProfile(
  name: string,
  names: readonly string[],
  command: CommandTerms,
): Promise<readonly Hint[]> {
  const near = await nearest(name, [...names, ...builtIn])
  if (near === null) return []
  const tokens = tokensOf(command.argv, readableFlags(command.flags))
  const mended = tokens.map((token) =>
    token.kind === 'flag' && token.flag.name === 'profile' && token.value === name
      ? { ...token, value: near.word }
      : token,
  )
  const isTyped = mended.some((token, at) => token !== tokens[at])
  if (!isTyped) return [hint`Did you mean ${near.word}?`]
  return [hint`Did you mean \`${typedAnew(command.words, ...(await shownTokens(mended)))}\`?`]
}
