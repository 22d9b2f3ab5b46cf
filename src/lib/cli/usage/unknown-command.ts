/** Words that name no command: the nearest one, word by word from the topic on. */
import { Failure } from '../../failure.ts'
import { type Hint, hint, paste } from '../../hint.ts'
import { nearest } from '../../nearest.ts'
import { earlyLine, isAboutEarlier } from '../flags/typed-line.ts'

/** Words of other programs for one thing: a topic has, as a rule, one of them. */
const alike: readonly (readonly string[])[] = [
  ['create', 'new', 'send', 'make', 'issue', 'add', 'register', 'pay'],
  ['get', 'show', 'status', 'details', 'view', 'describe', 'info'],
  ['remove', 'delete', 'rm', 'discard', 'clear'],
  ['cancel', 'revoke', 'void', 'abort'],
  ['list', 'ls', 'history'],
]

/** Words that other programs begin with, and the command for the same here. */
const ofPeers: Readonly<Record<string, string>> = {
  login: 'profile add',
  auth: 'profile add',
  logout: 'profile remove',
  whoami: 'profile show',
  pay: 'payout create',
  payment: 'payout create',
  send: 'payout create',
  transfer: 'payout create',
  paid: 'payout list',
}

/** The commands that a first word means which stands elsewhere here: `refund` is `order refund`. */
function elsewhere(word: string, ids: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (ids.some(([first]) => first === word)) return []
  return Object.hasOwn(ofPeers, word) ? [ofPeers[word]?.split(' ') ?? []] : ids.filter((id) => id.at(-1) === word)
}

function nearestWord(word: string, known: readonly string[]): string | null {
  if (known.includes(word)) return word
  const near = nearest(word, known)
  if (near !== null) return near
  const family = alike.find((words) => words.includes(word)) ?? []
  return family.find((each) => known.includes(each)) ?? null
}

/** The words that may follow these in the name of a command. */
function following(path: readonly string[], ids: readonly (readonly string[])[]): readonly string[] {
  const below = ids.filter((id) => path.every((word, at) => id[at] === word))
  return [...new Set(below.flatMap((id) => id.slice(path.length, path.length + 1)))]
}

interface Descent {
  readonly path: readonly string[]
  /** The number of typed words that were understood. */
  readonly taken: number
  readonly isWhole: boolean
}

function descended(words: readonly string[], ids: readonly (readonly string[])[]): Descent {
  const path: string[] = []
  for (const word of words) {
    const known = following(path, ids)
    if (known.length === 0) break
    const meant = nearestWord(word, known)
    if (meant === null) return { path, taken: path.length, isWhole: false }
    path.push(meant)
  }
  return { path, taken: path.length, isWhole: path.length > 0 }
}

/** `create payout` is meant as `payout create`. */
function inOrder(words: readonly string[], ids: readonly (readonly string[])[]): readonly string[] {
  const [first, second, ...rest] = words
  const turned = ids.some((id) => id[0] === second && id[1] === first)
  return turned && first !== undefined && second !== undefined ? [second, first, ...rest] : words
}

function hintFor({ path, isWhole }: Descent, isCommand: boolean): Hint {
  if (isWhole && isCommand) return hint`Did you mean \`paydesk ${path.join(' ')}\`?`
  if (path.length === 0) return hint`\`paydesk --help\` shows all commands.`
  return hint`\`${paste(path.join(' '), '--help')}\` lists the commands.`
}

/** The line of `help` that was meant, where a command or a topic is near; null where none is. */
export function nearestTopic(words: readonly string[], ids: readonly string[]): Hint | null {
  const known = ids.map((id) => id.split(':'))
  const others = elsewhere(words[0] ?? '', known)
  if (others.length > 1)
    return hint`The commands are ${others.map((id) => `\`paydesk help ${id.join(' ')}\``).join(', ')}.`
  const meant = others[0] ?? inOrder(words, known)
  const { path } = descended(meant, [...known, ['exit-codes'], ['flags']])
  return path.length === 0 ? null : hint`Did you mean \`${paste('help', ...path)}\`?`
}

/** Failure('usage') (2). `ids` are those of all commands, such as `payout:create`. */
export function unknownCommand(argv: readonly string[], ids: readonly string[]): Failure {
  const end = argv.findIndex((word) => word.startsWith('-'))
  const typed = (end < 0 ? argv : argv.slice(0, end)).flatMap((word, at) => (at === 0 ? word.split(':') : [word]))
  const words = typed[0] === 'help' && typed.length > 1 ? typed.slice(1) : typed
  const commands = ids.map((id) => id.split(':'))
  const turned = inOrder(words, commands)
  const others = turned === words ? elsewhere(words[0] ?? '', commands) : []
  const isMoved = others.length === 1
  const ordered = isMoved ? [...others.flat(), ...words.slice(1)] : turned
  const descent = descended(ordered, commands)
  const path = descent.path.join(' ')
  const named = isMoved
    ? words[0]
    : words.slice(0, Math.max(descent.isWhole ? descent.taken : descent.taken + 1, 1)).join(' ')
  const isCommand = ids.includes(descent.path.join(':'))
  // No journal is asked: a line that names a write may name one that was sent.
  const moneyMoved = isAboutEarlier(isCommand ? descent.path.join(':') : '', earlyLine(argv)) ? 'unknown' : 'no'
  const isTopic = descent.isWhole && words.length === descent.taken && !isCommand
  const complaint = isTopic
    ? `"${path}" is not a command: put all words of a command before its flags`
    : `unknown command "${named || argv[0]}"`
  return new Failure('usage', complaint, {
    moneyMoved,
    hints:
      others.length > 1
        ? [hint`The commands are ${others.map((id) => id.join(' ')).join(', ')}.`]
        : [hintFor(descent, isCommand)],
  })
}
