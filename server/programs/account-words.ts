import type { MarginOrder } from '@candor/core/protocol/event/index.ts'
import * as param from './params.ts'

/** Whether a request means an isolated account; without it, the cross account. */
export const isIsolatedParam = param.word(['TRUE', 'FALSE', 'true', 'false'])
export const isIsolatedWord = (word: string | undefined): boolean => word?.toUpperCase() === 'TRUE'

export const whose = { isIsolated: isIsolatedParam } as const
export type Whose = param.Values<typeof whose>

/** The margin account that a request means. */
export const accountMeant = ({ isIsolated }: Whose): MarginOrder['account'] =>
  isIsolatedWord(isIsolated) ? 'margin-isolated' : 'margin-cross'
