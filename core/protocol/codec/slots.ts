/** Readers of slots by the type of their number, so that a price is never taken for an amount. */
import type { Days, IndexPrice, Lots, Millis, Ppm, Ticks, Units } from '../../money/brand.ts'
import type { AssetId, MarketId, OrderId, PreventedMatchId, TradeId, UserId } from '../ids.ts'
import { CLIENT_ID } from './layout.ts'
import { clientIdSlots, unpackText } from './text.ts'

export const readUnits: Read<Units> = (data, at) => data[at] as Units
export const readTicks: Read<Ticks> = (data, at) => data[at] as Ticks
export const readLots: Read<Lots> = (data, at) => data[at] as Lots
export const readPpm: Read<Ppm> = (data, at) => data[at] as Ppm
export const readIndexPrice: Read<IndexPrice> = (data, at) => data[at] as IndexPrice
export const readDays: Read<Days> = (data, at) => data[at] as Days
export const readMillis: Read<Millis> = (data, at) => data[at] as Millis
export const readUserId: Read<UserId> = (data, at) => data[at] as UserId
export const readAssetId: Read<AssetId> = (data, at) => data[at] as AssetId
export const readMarketId: Read<MarketId> = (data, at) => data[at] as MarketId
export const readOrderId: Read<OrderId> = (data, at) => data[at] as OrderId
export const readPreventedMatchId: Read<PreventedMatchId> = (data, at) => data[at] as PreventedMatchId
export const readTradeId: Read<TradeId> = (data, at) => data[at] as TradeId

export type Read<T> = (data: Float64Array, at: number) => T
export type Write<T> = (value: T, data: Float64Array, start: number) => void

/**
 * The count at `at` of things that follow, of at least so many slots each. Throws when there are not as many slots: nothing is looped
 * over or allocated for a count that a forged dump made up.
 */
export function countAt(data: Float64Array, at: number, slots = 1): number {
  return fittingCount(data[at]!, data, at, slots)
}

/** The same for a count that slot `at` has together with something else. */
export function fittingCount(count: number, data: Float64Array, at: number, slots: number): number {
  if (!(Number.isSafeInteger(count) && count >= 0 && count * slots < data.length - at))
    throw new Error(`slot ${at} of ${data.length} says that ${count} things follow`)
  return count
}

/** Whether a list that a 0 ends goes on at `at`. Throws where the data ends first. */
export function isMoreAt(data: Float64Array, at: number): boolean {
  if (!(at < data.length)) throw new Error(`a list has no end in ${data.length} slots`)
  return data[at] !== 0
}

/** The client id of the command that starts at `start`. All commands have it at the same position. */
export const readClientId: Read<string> = (data, start) => unpackText(data, start + CLIENT_ID, clientIdSlots)
