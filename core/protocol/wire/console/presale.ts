import type { Decimal } from '../../../money/brand.ts'
import type { LocaleCode } from '../../locales.ts'
import type { Terms } from '../changes.ts'
import type { PresaleOutcome, PresaleState } from '../presale.ts'

/** Texts of a presale in one language. */
export const presaleTextFields = ['title', 'overview', 'details', 'pool', 'useOfFunds', 'risks'] as const
export type PresaleText = { readonly [Field in (typeof presaleTextFields)[number]]: string }

/** Most characters of a title, and of any other text. */
export const presaleTitleMax = 80
export const presaleTextMax = 8000
/** Most bytes of a whitepaper. */
export const paperBytesMax = 8_000_000

/**
 * What customers read about a presale and its token. Their SHA-256 is part of the terms, so other texts need another decision. English is
 * required; in a language without texts customers read English, and in Simplified Chinese the Traditional texts first.
 */
export type PresaleDetails = {
  readonly token: string
  readonly name: string
  /** The token's whole supply. */
  readonly totalSupply: Decimal
  readonly contract: { readonly network: string; readonly address: string } | null
  readonly texts: { readonly en: PresaleText } & { readonly [L in LocaleCode]?: PresaleText }
}

/** The number of a presale, and the hash of its details, both of which its terms need. */
export type PresaleDraft = { readonly number: number; readonly hash: string }

/** POST `/presales/details`. `number`: of a presale whose texts change; absent: of a new one, which gets the next number. */
export type PresaleDetailsDraft = { readonly number?: number; readonly details: PresaleDetails }

/** POST `/presales/papers`: a PDF in base64. Answers its hash. */
export type PresalePaperUpload = { readonly pdf: string }

/**
 * GET `/presales`: one line for each number whose details were prepared. `subject`: of decisions about it, such as `3:NEW`. `state`: `draft`
 * before it is opened. `hash`: of the newest details, which `preparedBy` wrote; null for those of a first start. `terms`: null when it is
 * not open. Sums in USDT and in tokens.
 */
export type ConsolePresale = {
  readonly subject: string
  readonly title: string
  readonly state: PresaleState | 'draft'
  readonly outcome: PresaleOutcome | null
  readonly hash: string
  readonly preparedBy: string | null
  readonly preparedAt: number
  readonly startsAt: number | null
  readonly endsAt: number | null
  readonly subscribers: number
  readonly subscribed: string
  readonly sold: string | null
  readonly assets: readonly string[]
  readonly terms: Terms | null
}
