import type { Brand } from '../money/brand.ts'

/** Names an account: the place in the ledger's memory where what is available and what is held stand side by side. */
export type Row = Brand<number, 'Row'>
