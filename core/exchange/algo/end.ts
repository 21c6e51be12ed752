import type { AlgoEnd } from '../../protocol/event/algo.ts'
import type { Refusal } from '../../protocol/refusal.ts'

/** Refusals of a part after which no later part can be placed. */
const endings: { readonly [R in Refusal]?: AlgoEnd } = {
  USER_FROZEN: 'frozen',
  RESTING: 'resting',
  REDUCE_ONLY_REJECTED: 'no-position',
  NOT_CERTIFIED: 'not-allowed',
  MARKET_UNKNOWN: 'not-allowed',
  POSITION_SIDE_INVALID: 'not-allowed',
  ORDER_TYPE_INVALID: 'not-allowed',
}

/** How an order in parts ends because this refusal met one of its parts; undefined when it goes on. */
export function endAfter(refusal: Refusal): AlgoEnd | undefined {
  return endings[refusal]
}

/** Whether the market takes no orders for now: the part then waits and stays as large as it is. */
export function isHalt(refusal: Refusal): boolean {
  return refusal === 'MARKET_HALTED' || refusal === 'NO_INDEX_PRICE'
}
