import type { Command } from '@candor/core/protocol/command/index.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { Ask, Outcome, Submit } from '@candor/core/protocol/port.ts'
import { Refused } from '../refused.ts'
import { firstAssets, firstFees, firstMarkets, firstTerms } from './defaults.ts'

/**
 * Lists the first assets and markets by journaled commands. Those already listed stay unchanged, so a start that was interrupted
 * is completed by the next one. Returns whether anything was listed.
 */
export async function listFirstMarkets(submit: Submit, ask: Ask): Promise<boolean> {
  const listed = await ask.listing()
  const assets = new Map<string, Asset>(listed.assets.map((asset) => [asset.symbol, asset]))
  const markets = new Set(listed.markets.map(({ symbol }) => symbol))
  let hasListed = false

  for (const { symbol, scale } of firstAssets) {
    if (assets.has(symbol)) continue
    const outcome = await accepted(submit, { type: 'asset.list', symbol, scale })
    for (const event of outcome.events) if (event.type === 'asset.listed') assets.set(symbol, event.asset)
    hasListed = true
  }
  for (const { base, quote, tick, lot } of firstMarkets) {
    const symbol = base + quote
    if (markets.has(symbol)) continue
    const quoteAsset = assets.get(quote)!
    const terms = firstTerms(quote, quoteAsset.scale)
    await accepted(submit, { type: 'market.list', symbol, base: assets.get(base)!.id as AssetId, quote: quoteAsset.id, tick, lot, terms })
    hasListed = true
  }
  if (listed.fees.length === 0 || markets.size === 0) {
    await accepted(submit, { type: 'fees.set', tiers: firstFees })
    hasListed = true
  }
  return hasListed
}

async function accepted(submit: Submit, command: Command): Promise<Outcome> {
  const outcome = await submit(command)
  if (outcome.refusal) throw new Refused(outcome.refusal, { message: `${command.type} was refused: ${outcome.refusal}` })
  return outcome
}
