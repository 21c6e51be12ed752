import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import { acceptedAtFirst } from './first-accepted.ts'
import { firstAssets, firstFees, firstMarkets, firstPerpFees, firstTerms } from './defaults.ts'

/**
 * Lists the first assets and markets by journaled commands. Those already listed stay unchanged, so a start that was interrupted
 * is completed by the next one; in production only while there are no users. Returns whether anything was listed.
 */
export async function listFirstMarkets(submit: Submit, ask: Ask): Promise<boolean> {
  const listed = await ask.listing()
  const assets = new Map<string, Asset>(listed.assets.map((asset) => [asset.symbol, asset]))
  const markets = new Set(listed.markets.map(({ symbol }) => symbol))
  let hasListed = false

  for (const { symbol, scale } of firstAssets) {
    if (assets.has(symbol)) continue
    const outcome = await acceptedAtFirst(submit, { type: 'asset.list', symbol, scale })
    if (outcome === undefined) continue
    for (const event of outcome.events) if (event.type === 'asset.listed') assets.set(symbol, event.asset)
    hasListed = true
  }
  for (const { base, quote, tick, lot } of firstMarkets) {
    const symbol = base + quote
    if (markets.has(symbol)) continue
    const [baseAsset, quoteAsset] = [assets.get(base), assets.get(quote)]
    // Its asset waits for a decision.
    if (baseAsset === undefined || quoteAsset === undefined) continue
    const terms = firstTerms(quote, quoteAsset.scale)
    const command = { type: 'market.list', symbol, base: baseAsset.id, quote: quoteAsset.id, tick, lot, terms } as const
    if ((await acceptedAtFirst(submit, command)) !== undefined) hasListed = true
  }
  const isNew = listed.fees.length === 0 || markets.size === 0
  // Data of a build that had no tiers of Futures keeps those of Spot.
  if (isNew || listed.perpFees.length === 0) {
    const tiers = isNew ? firstFees : listed.fees
    if ((await acceptedAtFirst(submit, { type: 'fees.set', tiers, perpTiers: firstPerpFees })) !== undefined) hasListed = true
  }
  return hasListed
}
