/** The end of an order in parts, for the commands of all products. */
import type { Lots } from '../../../money/brand.ts'
import { writeAlgoEnded } from '../../../protocol/codec/algo/write.ts'
import type { Records } from '../../../protocol/codec/records.ts'
import { algoKinds } from '../../../protocol/command/algo.ts'
import type { AlgoEnd } from '../../../protocol/event/algo.ts'
import type { AlgoKindNumber, MarketId, UserId } from '../../../protocol/ids.ts'
import type { Algo, AlgoState } from './state.ts'

export const TWAP = algoKinds.indexOf('twap') as AlgoKindNumber

type Part = { readonly algo: AlgoState; readonly events: Records }

/** Ends an order in parts. Its open orders, if any, stay. */
export function endAlgo({ algo: all, events }: Part, algo: Algo, reason: AlgoEnd): void {
  all.remove(algo)
  const executed = algo.kind === TWAP ? algo.lots - algo.left : 0
  writeAlgoEnded(events, { algo: algo.number, user: algo.user, market: algo.market }, reason, executed as Lots, algo.executed)
}

/** Ends the user's TWAP orders in a market (0: in all), because its orders are cancelled or its position is liquidated. */
export function endTwapsOf(x: Part, user: UserId, market: MarketId, reason: AlgoEnd): void {
  for (const algo of x.algo.ofUser(user)) if (algo.kind === TWAP && (market === 0 || algo.market === market)) endAlgo(x, algo, reason)
}
