import type { Brand } from '../money/brand.ts'

/** Names an account: the position in the ledger's memory where its available and held sums stand next to each other. */
export type Row = Brand<number, 'Row'>
