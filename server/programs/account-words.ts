import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import * as param from './params.ts'

/** Chooses the isolated account of the market; without it, the cross account is meant. */
export const isIsolatedParam = param.word(['TRUE', 'FALSE', 'true', 'false'])
export const isIsolatedWord = (word: string | undefined): boolean => word?.toUpperCase() === 'TRUE'

export const whose = { isIsolated: isIsolatedParam } as const
export type Whose = param.Values<typeof whose>

/** The Margin account that a request names. */
export const accountMeant = ({ isIsolated }: Whose): MarginOrder['account'] =>
  isIsolatedWord(isIsolated) ? 'margin-isolated' : 'margin-cross'
