/** The frame around every checkout page: head, the strip that says that no money moves, one card, languages. */
import { html, raw } from 'hono/html'
import type { Html } from '../answer.ts'
import { checkoutStyle } from './style.ts'
import { type Language, languageNames, languages, type Say } from './texts/texts.ts'

export interface Frame {
  readonly language: Language
  readonly say: Say
  readonly title: string
  /** The content of the card. */
  readonly main: Html
  /** More of the address of the same page in another language. */
  readonly more?: string
  /** The page to which the browser goes by itself, and the seconds until then; an empty address is this page. */
  readonly next?: { readonly seconds: number; readonly address: string } | null
  /** Below the card. */
  readonly drawer?: Html | null
  readonly script?: string | null
}

function languageLinks({ language, say, more = '' }: Frame): Html {
  const link = (each: Language) =>
    html`<li><a href="?lang=${each}${more}" lang="${each.toLowerCase()}" hreflang="${each.toLowerCase()}"${
      each === language ? raw(' aria-current="true"') : ''
    }>${languageNames[each]}</a></li>`
  return html`<nav class="languages" aria-label="${say('language')}"><ul>${languages.map(link)}</ul></nav>`
}

function refresh({ next }: Frame): Html | string {
  if (!next) return ''
  const address = next.address === '' ? '' : `; url=${next.address}`
  return html`<meta http-equiv="refresh" content="${next.seconds}${address}">`
}

export function documentOf(frame: Frame): Html {
  const { language, say, title, main, drawer, script } = frame
  return html`<!doctype html>
<html lang="${language.toLowerCase()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
${refresh(frame)}
<style>${raw(checkoutStyle)}</style>
</head>
<body>
<header><p class="strip">${say('sandbox')}</p></header>
<main>
${main}
</main>
${drawer ?? ''}
<footer>${languageLinks(frame)}</footer>
${script ? html`<script>${raw(script)}</script>` : ''}
</body>
</html>
`
}
