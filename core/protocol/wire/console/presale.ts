import type { Decimal } from '../../../money/brand.ts'
import type { Lang } from '../../locales.ts'

/** Texts of a presale in one language. */
export const presaleTextFields = ['title', 'overview', 'details', 'pool', 'useOfFunds', 'risks'] as const
export type PresaleText = { readonly [Field in (typeof presaleTextFields)[number]]: string }

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

/** The number of a presale, and the hash of its details, both of which its terms need. */
export type PresaleDraft = { readonly number: number; readonly hash: string }
