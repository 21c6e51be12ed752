import type { AlgoFacts } from '../../protocol/codec/algo/write.ts'
import { algoKinds } from '../../protocol/command/algo.ts'
import type { AlgoKindNumber } from '../../protocol/ids.ts'
import type { Algo } from './records/state.ts'

export const SCALED = algoKinds.indexOf('scaled') as AlgoKindNumber

/** The fields of an order in parts that its events carry. */
export function factsOf({ number, placedAtMs: _placedAtMs, ...algo }: Algo): AlgoFacts {
  return { algo: number, ...algo }
}
