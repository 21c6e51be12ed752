import type { NetworkKind } from '../ports.ts'

/** How long a request waits for a new deposit address. */
export const addressWaitMs = 8_000

/** Most deposits or withdrawals in one answer. */
export const historyMax = 1_000

/** Usual time between two blocks, and until a block is final, in milliseconds and in blocks. */
export const times: Readonly<Record<NetworkKind, { readonly blockMs: number; readonly finalMs: number; readonly finalBlocks: number }>> = {
  evm: { blockMs: 12_000, finalMs: 16 * 60_000, finalBlocks: 64 },
  tron: { blockMs: 3_000, finalMs: 60_000, finalBlocks: 19 },
}

/** A passkey of this age signs withdrawals: so long the signer lets a new one wait. */
export const keyRestMs = 24 * 3_600_000
