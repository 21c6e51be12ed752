/** How long payouts wait before they are tried again. */
export type PayoutTimes = {
  /** A transaction in no block is handed to the nodes again after this. */
  readonly resendMs: number
  /** A payment that does not move is tried again after this. */
  readonly retryMs: number
  /** Each refusal of the signer for the same reason doubles that, up to this. */
  readonly refusedMaxMs: number
}

export const usualTimes: PayoutTimes = { resendMs: 15_000, retryMs: 30_000, refusedMaxMs: 900_000 }

/** Of a payout that the signer refused so often in a row for one reason; 0: that does not move for another. */
export function pauseMs({ retryMs, refusedMaxMs }: PayoutTimes, refusals: number): number {
  return refusals === 0 ? retryMs : Math.min(retryMs * 2 ** (refusals - 1), refusedMaxMs)
}
