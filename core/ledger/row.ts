import type { Brand } from '../money/brand.ts'

/** Names an account: the position in the ledger's memory of its available and held sums, which are side by side. */
export type Row = Brand<number, 'Row'>
