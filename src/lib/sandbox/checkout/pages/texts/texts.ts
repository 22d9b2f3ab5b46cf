/** Every text of the checkout page in its three languages. */
import { type CheckoutTexts, english } from './english.ts'
import { georgian } from './georgian.ts'
import { italian } from './italian.ts'

const texts = { EN: english, KA: georgian, IT: italian } as const

export type Language = keyof typeof texts

export const languages: readonly Language[] = ['EN', 'KA', 'IT']

export const languageNames: Readonly<Record<Language, string>> = { EN: 'English', KA: 'ქართული', IT: 'Italiano' }

export type TextKey = keyof CheckoutTexts

export type Say = (key: TextKey, values?: Readonly<Record<string, string>>) => string

export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(english, key)
}

/** Speaks one language. */
export function speaker(language: Language): Say {
  return (key, values = {}) => texts[language][key].replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
}
