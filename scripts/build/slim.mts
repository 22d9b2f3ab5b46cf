/**
 * Bundled packages load many modules at once; these are put off until they are used, or left out. Node spends half of a short
 * command on loading.
 */
import type { Plugin } from 'rolldown'

const nothing = '\0nothing'

/** Modules that packages bring along and that are never reached here, by the file that asks for them. */
const unused: readonly { readonly by: RegExp; readonly part: RegExp }[] = [
  // undici hands out its fetch, its mocks and its caches with the client; only the client is used.
  {
    by: /\/undici\/index\.js$/,
    part: /\/(mock|web|cache|interceptor)\/|h2c|socks5|retry|redirect|round-robin|balanced/,
  },
  // HTTP/2 is never agreed on (`allowH2`).
  { by: /\/undici\/lib\/dispatcher\/client\.js$/, part: /client-h2/ },
  // prom-client brings the figures of the process, of clusters and of other servers along; ours are our own.
  { by: /\/prom-client\/index\.js$/, part: /^\.\/lib\/(defaultMetrics|cluster|pushgateway|summary)$/ },
  // No job of the queue is planned by a calendar (`schedule: false`).
  { by: /\/pg-boss\/src\/timekeeper\.js$/, part: /^cron-parser$/ },
  // Every request is asked whether it came by HTTP/2, which nothing here listens to.
  { by: /\/@hono\/node-server\//, part: /^(node:)?http2$/ },
]

const utf8 = '\0utf8'

/** A question that opens an editor would bring every encoding along, and guess: a text is UTF-8 here, and complained of where it is not. */
const encodings = { by: /\/@inquirer\/external-editor\//, part: /^(?:chardet|iconv-lite)$/ }

const utf8Alone = `export const detect = () => 'utf8'
export default {
  encodingExists: () => true,
  decode: (bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes),
}`

/** Everything taken from it can be made, and is of no use. */
const hollow = 'module.exports = new Proxy({}, { get: () => class {} })'

const gathered = /^exports\.(\w+) = (__importStar\(require\("[^"]+"\)\));$/gm
/** An import of a package, over two lines. */
const twice = /^let ([\w$]+) = (require\("[^"]+"\));\n\1 = ([\w$]+\.__toESM)\(\1(, 1)?\);$/gm

/** The loads of one line: a module, one of a chunk that wraps it, or either in the form that imports take. */
const loads = String.raw`(?:/\* @__PURE__ \*/ )?(?:__import(?:Default|Star)\(|[\w$]+\.__toESM\()?(?:require\("[^"]+"\)|[\w$]+\.require_[\w$]+\(\))(?:, 1)?\)?`
const required = new RegExp(String.raw`^(?:const|let|var) ([\w$]+) = (${loads});$`, 'gm')

/** A name where it is used: not the member of something, though `...name` is. */
function useOf(name: string): RegExp {
  return new RegExp(`(?<![\\w$:"/]|(?<!\\.\\.)\\.)${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')
}

/**
 * CommonJS, every module loaded where it is used first: `const a_1 = require("a")` becomes an object that gets it when asked.
 * Lines stay where they are.
 */
export function putOff(code: string): string {
  const put: { readonly name: string; readonly load: string }[] = []
  const apart = code
    .replace(twice, 'const $1 = $3($2$4);\n')
    .replace(
      gathered,
      (_, name: string, load: string) =>
        `{ let it; Object.defineProperty(exports, "${name}", { enumerable: true, get: () => it ??= ${load} }); }`,
    )
    .replace(required, (_, name: string, load: string) => `\0${put.push({ name, load }) - 1}\0`)
  const uses = (text: string) =>
    put.reduce((done, { name }) => done.replaceAll(useOf(name), () => `of_${name}.it`), text)
  return uses(apart).replace(/\0(\d+)\0/g, (_, at: string) => {
    const { name, load } = put[Number(at)] ?? { name: '', load: '' }
    return `const of_${name} = { get it() { const it = ${uses(load)}; Object.defineProperty(this, "it", { value: it }); return it; } };`
  })
}

export function slim(): Plugin {
  return {
    name: 'slim',
    resolveId: {
      order: 'pre',
      handler: (part, importer = '') => {
        if (encodings.by.test(importer) && encodings.part.test(part)) return utf8
        return unused.some((each) => each.by.test(importer) && each.part.test(part)) ? nothing : null
      },
    },
    load: (id) => {
      if (id === utf8) return { code: utf8Alone, moduleType: 'js' }
      return id === nothing ? { code: hollow, moduleType: 'js' } : null
    },
    transform: {
      filter: { id: /\/@oclif\/core\/lib\// },
      // oclif compares the running Node with what it asks for itself, which loads semver; what paydesk asks for is more.
      handler: (code) => ({ code: putOff(code.replace(/^checkNodeVersion\(\);$/m, '')), map: null }),
    },
    renderChunk: (code) => ({ code: putOff(code), map: null }),
  }
}
