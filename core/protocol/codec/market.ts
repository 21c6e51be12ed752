/** Slots of the commands about assets, markets, fees and index prices. */
import type { IndexTick, ListAsset, ListMarket, SetFees, SetMarket } from '../command/market.ts'
import type { Codec } from './command.ts'
import { readListing, readTerms, readTiers, writeListing, writeTerms, writeTiers } from './fields.ts'
import { indexSlots, readIndexPrices, writeIndexPrices } from './index-prices.ts'
import * as at from './layout.ts'
import { integer } from './records.ts'
import { readMarketId } from './slots.ts'
import { assetSymbolSlots, packText, unpackText } from './text.ts'

type MarketCommand = ListAsset | ListMarket | SetMarket | SetFees | IndexTick

export const marketCodecs: { readonly [T in MarketCommand['type']]: Codec<Extract<MarketCommand, { readonly type: T }>> } = {
  'asset.list': {
    length: () => at.ASSET_LENGTH,
    write(command, data, start) {
      packText(command.symbol, data, start + at.ASSET_SYMBOL, assetSymbolSlots)
      data[start + at.ASSET_SCALE] = integer(command.scale, 'scale')
    },
    read: (data, start) => ({
      type: 'asset.list',
      symbol: unpackText(data, start + at.ASSET_SYMBOL, assetSymbolSlots),
      scale: data[start + at.ASSET_SCALE]!,
    }),
  },
  'market.list': {
    length: () => at.LIST_LENGTH,
    write: writeListing,
    read: (data, start) => ({ type: 'market.list', ...readListing(data, start) }),
  },
  'market.set': {
    length: () => at.SET_LENGTH,
    write(command, data, start) {
      data[start + at.SET_MARKET] = integer(command.market, 'market')
      writeTerms(command.terms, data, start + at.SET_TERMS)
    },
    read: (data, start) => ({
      type: 'market.set',
      market: readMarketId(data, start + at.SET_MARKET),
      terms: readTerms(data, start + at.SET_TERMS),
    }),
  },
  'fees.set': {
    length: (command) => at.FEES_TIERS + (command.tiers.length + (command.perpTiers?.length ?? 0)) * at.TIER_SLOTS,
    write(command, data, start) {
      data[start + at.FEES_COUNT] = command.tiers.length
      data[start + at.FEES_PERP_COUNT] = command.perpTiers?.length ?? 0
      writeTiers([...command.tiers, ...(command.perpTiers ?? [])], data, start + at.FEES_TIERS)
    },
    read: (data, start) => {
      const [count, perpCount] = [data[start + at.FEES_COUNT]!, data[start + at.FEES_PERP_COUNT]!]
      const tiers = readTiers(data, start + at.FEES_TIERS, count)
      if (perpCount === 0) return { type: 'fees.set', tiers }
      return { type: 'fees.set', tiers, perpTiers: readTiers(data, start + at.FEES_TIERS + count * at.TIER_SLOTS, perpCount) }
    },
  },
  'index.tick': {
    length: (command) => at.INDEX_PRICES + indexSlots(command.prices),
    write: (command, data, start) => {
      data[start + at.INDEX_COUNT] = command.prices.length
      writeIndexPrices(command.prices, data, start + at.INDEX_PRICES)
    },
    read: (data, start) => ({
      type: 'index.tick',
      prices: readIndexPrices(data, start + at.INDEX_PRICES, data[start + at.INDEX_COUNT]!),
    }),
  },
}
