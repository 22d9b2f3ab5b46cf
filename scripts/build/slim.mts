/**
 * What bundled packages load before anything is asked of them, put off until it is asked for or left out. Node spends half of
 * a short command on loading, and these packages load all they have.
 */
import type { Plugin } from 'rolldown'

const nothing = '\0nothing'

/** Parts that no command of a built program reaches, by who asks for them. */
const unreached: readonly { readonly importer: RegExp; readonly part: RegExp }[] = [
  // undici hands out its fetch, its mocks and its caches with the client. Only the client is used.
  {
    importer: /\/undici\/index\.js$/,
    part: /\/(mock|web|cache|interceptor)\/|h2c|socks5|retry|redirect|round-robin|balanced/,
  },
  // oclif looks for commands and plugins, draws help and spinners; the built program has a list of its own.
  { importer: /\/@oclif\/core\//, part: /^(semver|tinyglobby|minimatch|cli-spinners|ejs|typescript|ts-node|tsx)$/ },
]

/** Whatever is taken from it can be made, and is of no use. */
const hollow = 'module.exports = new Proxy({}, { get: () => class {} })'

const gathered = /^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm
const required = /^(?:const|let|var) (\w+) = (?:(__importDefault|__importStar)\()?require\("([^"]+)"\)\)?;$/gm

/**
 * CommonJS as TypeScript writes it (`const a_1 = require("a")`, used as `a_1.b`), every module loaded where it is used first.
 * Lines stay where they are.
 */
export function putOff(code: string): string {
  const names: string[] = []
  const apart = code.replace(
    gathered,
    (_, name: string, load: string) =>
      `{ let it; Object.defineProperty(exports, "${name}", { enumerable: true, get: () => it ??= ${load} }); }`,
  )
  const declared = apart.replace(required, (_, name: string, interop: string | undefined, path: string) => {
    names.push(name)
    const load = interop === undefined ? `require("${path}")` : `${interop}(require("${path}"))`
    return `const of_${name} = { get it() { const it = ${load}; Object.defineProperty(this, "it", { value: it }); return it; } };`
  })
  return names.reduce(
    (text, name) => text.replaceAll(new RegExp(`(?<![\\w.$])${name}(?![\\w$])`, 'g'), `of_${name}.it`),
    declared,
  )
}

export function slim(): Plugin {
  return {
    name: 'slim',
    resolveId: {
      order: 'pre',
      handler: (part, importer = '') =>
        unreached.some((each) => each.importer.test(importer) && each.part.test(part)) ? nothing : null,
    },
    load: (id) => (id === nothing ? { code: hollow, moduleType: 'js' } : null),
    transform: {
      filter: { id: /\/@oclif\/core\/lib\// },
      handler: (code) => ({ code: putOff(code), map: null }),
    },
  }
}
