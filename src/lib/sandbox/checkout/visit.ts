/** One look at the page: what the payer asked for, typed and got wrong. */
import type { Method } from '../orders/choice.ts'
import type { EntryComplaint } from './entries/complaint.ts'
import type { Language, Say } from './pages/texts/texts.ts'
import type { Scene } from './scene.ts'

export interface CheckoutVisit {
  readonly scene: Scene
  readonly language: Language
  /** True if the payer has chosen the language, so that the next address keeps it. */
  readonly choseLanguage: boolean
  readonly say: Say
  readonly method: Method
  /** The tip that was typed, in minor units; 0 where none was, or nothing that is a sum. */
  readonly tip: number
  readonly typed: URLSearchParams
  readonly complaints: readonly EntryComplaint[]
  /** The test card that was just filled in. */
  readonly filled: string | null
  /** True if the payer was about to pay another sum than the button had said. */
  readonly sumChanged: boolean
  readonly script: string | null
}

/** The query that keeps what the payer has chosen. */
export function queryOf({ language, choseLanguage }: Pick<CheckoutVisit, 'language' | 'choseLanguage'>): string {
  return choseLanguage ? `?lang=${language}` : ''
}
