import type { Lots, Millis, Ticks, Units } from '../../money/brand.ts'
import type { OrderFlags } from '../../protocol/codec/layout.ts'
import { layoutOf, put, putRecord } from '../../protocol/codec/records.ts'
import type { Records } from '../../protocol/codec/records.ts'
import { countAt, type Read, readMarketId, readOrderId, readUserId } from '../../protocol/codec/slots.ts'
import type { AlgoKindNumber, OrderId, Parts, ShapeNumber } from '../../protocol/ids.ts'
import type { State } from '../state/state.ts'
import type { Algo } from './records/state.ts'

const facts = ['number', 'user', 'market', 'kind', 'flags', 'lots', 'parts', 'everyMs', 'from', 'to', 'shape', 'placedAtMs'] as const
// Each followed by the open orders.
const ALGO = layoutOf(...facts, 'left', 'partsLeft', 'executed', 'dueAtMs', 'haltedMs', 'open')

/** Running orders in parts, by number. */
export function dumpAlgos({ algo }: State, into: Records): void {
  put(into, algo.size)
  for (const { orders, ...each } of algo.all()) {
    putRecord(into, ALGO, { ...each, open: orders.length })
    put(into, ...orders)
  }
}

/** Reads what `dumpAlgos` wrote into an empty state. Returns the index just after it. */
export const restoreAlgos =
  ({ algo }: State): Read<number> =>
  (data, start) => {
    let at = start
    for (let left = countAt(data, at++); left > 0; left--) {
      const open = countAt(data, at + ALGO.open)
      const orders = Array.from(data.subarray(at + ALGO.length, at + ALGO.length + open)) as OrderId[]
      algo.add({ ...algoAt(data, at), orders })
      at += ALGO.length + open
    }
    return at
  }

const algoAt: Read<Omit<Algo, 'orders'>> = (data, at) => ({
  number: readOrderId(data, at + ALGO.number),
  user: readUserId(data, at + ALGO.user),
  market: readMarketId(data, at + ALGO.market),
  kind: data[at + ALGO.kind] as AlgoKindNumber,
  flags: data[at + ALGO.flags] as OrderFlags,
  lots: data[at + ALGO.lots] as Lots,
  parts: data[at + ALGO.parts] as Parts,
  everyMs: data[at + ALGO.everyMs] as Millis,
  from: data[at + ALGO.from] as Ticks,
  to: data[at + ALGO.to] as Ticks,
  shape: data[at + ALGO.shape] as ShapeNumber,
  placedAtMs: data[at + ALGO.placedAtMs] as Millis,
  left: data[at + ALGO.left] as Lots,
  partsLeft: data[at + ALGO.partsLeft] as Parts,
  executed: data[at + ALGO.executed] as Units,
  dueAtMs: data[at + ALGO.dueAtMs] as Millis,
  haltedMs: data[at + ALGO.haltedMs] as Millis,
})
