/**
 * The modules of each chunk, where the rule "shared by the same commands" would put together modules that are used apart. A
 * chunk is loaded as a whole when something of it is used.
 */

/**
 * The contract, kind by kind; the list of all operations asks for all kinds, and so stands alone. Modules that need no schema
 * stand apart from those that make them.
 */
const contract =
  /\/src\/lib\/contract\/(?:(operations|callback|card|subscription|user)\.ts|(core|codes|order|payout|wallet)\/(?!decimal\.ts|members\.ts|permission\.ts))/

/** The parts of the contract that every operation refers to, and that need no schema. */
const terms = /\/src\/lib\/contract\/(?:assumed|operation|repeats)\.ts/

/**
 * The part of oclif that starts a command and reads its flags, not the one that looks for commands, plugins and help; and the look for the
 * store that a profile names, which comes before every command.
 */
const starting =
  /\/src\/lib\/(?:profile\/store-named|store\/postgres\/address-rule)\.ts|\/@oclif\/core\/(?:package\.json|lib\/(?:(?:args|cache|command|flags|index|logger|screen|settings)\.js|config\/(?:config|index|util)\.js|errors\/|parser\/|util\/(?:aggregate-flags|fs|ids|util)\.js|ux\/(?:list|supports-color|theme|write)\.js))/

/**
 * The sandbox, room by room. The module that puts a page on the server stands apart from the page: a payout asks for none.
 */
const room =
  /\/src\/lib\/sandbox\/(callbacks|cards|checkout|openapi|orders|scenarios|subscriptions|trigger|users|wallet|window)\/(?!page\.ts|path\.ts|window\.ts)/

/** Reading the sandbox's log and looking for words in its tables: requests are only added while it answers. */
const log = /\/src\/lib\/(?:sandbox\/log\/entry|store\/sandbox\/(?:requests|search))\.ts/

/**
 * The client's identity at the service, apart from the settings that a profile may hold: the built-in profiles hold none, and
 * commands that ask the journal or the sandbox need no identity.
 */
const profile = /\/src\/lib\/profile\/(?:(settings)\/|(?:built-in|choose|missing|profiles)\.ts)/

/** A store that is opened, with the links of its chain; the tables of the journal, and what every journal has. */
const opened =
  /\/src\/lib\/store\/(?:engine\/(?:open|file-store|commit-mark|group-commit|one-moment|sqlite\/(?:dialect|prepared)|template|deferred|write-queue)|chain\/(?:link|chained))\.ts/
const journal =
  /\/src\/lib\/(?:store\/journal\/(?!postgres\/|copy\.ts)|journal\/(?:hold\/(?:holder|in-flight)|journal|limits\/(?:counted|hold|opened|spent)|open|opening|row|watched|chain\/head|payees\/(?:payees|name|known))\.ts|desk\/payout\/payee\.ts)/

/** The help with a line that is wrong, loaded as a whole when one is; the part that looks for such lines is with every command. */
const misuse =
  /\/src\/lib\/cli\/misuse\/(?!in-our-terms|named-profile|asked-for)|\/src\/lib\/nearest\.ts|\/node_modules\/fastest-levenshtein\//

/** The journal of a command, and its place. */
const ofCommand = /\/src\/lib\/cli\/desk\/journal(?:-place)?\.ts/

/** Finding the command of a line, and drawing its help: every run begins with it, and a few commands use parts of it, too. */
const asked = /\/src\/lib\/cli\/(?:help\/(?:draw|page|shell-line|wrap)|program\/(?:agent|answer|asked|directories))\.ts/

/** The packages that draw tables. Most output is none. */
const table =
  /\/node_modules\/(?:cli-table3|@colors|string-width|emoji-regex|is-fullwidth-code-point|strip-ansi|ansi-regex)\//

export const chunkGroups = [
  { debugName: 'sandbox', test: room, name: (id: string) => `sandbox-${room.exec(id)?.[1]}` },
  { debugName: 'log of the sandbox', test: log, name: 'sandbox-log' },
  { debugName: 'profile', test: profile, name: (id: string) => `profile${profile.exec(id)?.[1] ? '-settings' : ''}` },
  { debugName: 'asked', test: asked, name: 'asked' },
  { debugName: 'misuse', test: misuse, name: 'misuse' },
  { debugName: 'journal of a command', test: ofCommand, name: 'command-journal' },
  { debugName: 'table', test: table, name: 'table' },
  { debugName: 'contract', test: contract, name: (id: string) => contract.exec(id)?.slice(1).find(Boolean) ?? null },
  { debugName: 'store', test: opened, name: 'store' },
  { debugName: 'journal', test: journal, name: 'journal' },
  { debugName: 'terms', test: terms, name: 'terms' },
  { debugName: 'oclif', test: starting, name: 'oclif' },
].map((group) => ({ ...group, includeDependenciesRecursively: false }))
