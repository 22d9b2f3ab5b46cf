/**
 * The frame of every HTML page of the program, the stylesheet that all of them begin with, and the headers of those that a
 * server sends. A page holds nothing from elsewhere; foreign text in it is escaped, and what would reorder or hide it is shown.
 */
import { html, raw } from 'hono/html'
import { visiblePage } from './text.ts'

/** A piece of a page: what was put into it is escaped. */
export type Html = ReturnType<typeof html>

/** Colours by name, light and dark as the machine has it, white on paper; the system's fonts. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --ground: #f3f4f2; --sheet: #ffffff; --ink: #1c2120; --quiet: #545d5a; --line: #dfe3e0; --edge: #7c8682;
  --accent: #0b5c4e; --on-accent: #ffffff; --tint: #e7f1ee; --hover: #f4f7f5;
  --good: #17663a; --bad: #a4262c; --bad-tint: #fdf0f0; --wait: #7a5200;
  --note: #fdf3d0; --on-note: #4d3c00; --note-edge: #b89a3a; --shadow: 0 1px 2px #0000000f, 0 .75rem 2rem #0000000f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131716; --sheet: #1a201e; --ink: #e7ebe9; --quiet: #a5afab; --line: #2d3532; --edge: #7f8a86;
    --accent: #79d3bf; --on-accent: #06241d; --tint: #21332f; --hover: #1f2724;
    --good: #7fd6a0; --bad: #ffa39c; --bad-tint: #3a2322; --wait: #f0c667;
    --note: #2c260f; --on-note: #f6dd8f; --note-edge: #8d7a38; --shadow: none;
  }
}
@media print {
  :root {
    color-scheme: light; --ground: #fff; --sheet: #fff; --ink: #000; --quiet: #444; --line: #bbb;
    --accent: #0b5c4e; --good: #17663a; --bad: #a4262c; --wait: #7a5200;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Georgian', sans-serif;
}
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--quiet); font-size: .875rem; }
`

interface PageFrame {
  /** English if not given. */
  readonly language?: string
  readonly title: string
  /** The page's own style, behind the one that all have. */
  readonly style: string
  readonly body: Html
  /** More of the head. */
  readonly head?: Html | string
  readonly script?: string | null
  /** The nonce that the policy of this answer names; without one, the policy names hashes. */
  readonly nonce?: string
  /** True of a page that is a file: it carries its policy in itself, since no server sends it. */
  readonly isFile?: boolean
}

const filePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The whole text of a page. */
export async function htmlPage(frame: PageFrame): Promise<string> {
  const { language = 'en', title, style, body, head = '', script = null, nonce, isFile = false } = frame
  const own = nonce === undefined ? '' : html` nonce="${nonce}"`
  const page = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isFile ? html`<meta http-equiv="Content-Security-Policy" content="${filePolicy}">` : ''}
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
<style${own}>${raw(baseStyle + style)}</style>
</head>
<body>
${body}
${script === null ? '' : html`<script${own}>${raw(script)}</script>`}
</body>
</html>
`
  return visiblePage(String(page))
}

interface PagePolicy {
  /** A source of scripts, such as a nonce or a hash; null for none. */
  readonly script: string | null
  readonly style: string | null
  /** True where the page may ask its own server. */
  readonly connects?: boolean
  /** True where the page sends forms to its own server. */
  readonly sendsForms?: boolean
}

/** Headers of a page that is never kept, never in a frame, and loads nothing but what its policy names. */
export function pageHeaders({
  script,
  style,
  connects = false,
  sendsForms = false,
}: PagePolicy): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(script === null ? [] : [`script-src ${script}`]),
    ...(style === null ? [] : [`style-src ${style}`]),
    ...(connects ? ["connect-src 'self'"] : []),
    'img-src data:',
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // Not `no-referrer`: browsers would then send forms with the origin `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/** The same for a page of the owner of this machine; `nonce` is that of this answer, null for one that is no page. */
export function ownerPageHeaders(nonce: string | null, sendsForms: boolean): Record<string, string> {
  const source = nonce === null ? null : `'nonce-${nonce}'`
  return {
    ...pageHeaders({ script: source, style: source, connects: nonce !== null, sendsForms }),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
