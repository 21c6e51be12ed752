import type { Decimal } from '../../../money/brand.ts'
import type { Lang } from '../../locales.ts'

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
 * required; in a language without texts customers read English.
 */
export type PresaleDetails = {
  readonly token: string
  readonly name: string
  /** The token's whole supply. */
  readonly totalSupply: Decimal
  readonly contract: { readonly network: string; readonly address: string } | null
  readonly texts: { readonly en: PresaleText } & { readonly [L in Lang]?: PresaleText }
}

/** POST `/presales/details`. `number`: of a presale that is changed; absent: a new one. */
export type PresaleDetailsDraft = { readonly number?: number; readonly details: PresaleDetails }
export type PresaleDraft = { readonly number: number; readonly hash: string }
