type Listed = { readonly symbol: string; readonly scale: number }

/**
 * Digits after the point of an asset's smallest unit: 6 for USDT. Throws for an asset that is not listed, because under a guessed
 * scale a sum is wrong by powers of ten.
 */
export function scaleOf(assets: Iterable<Listed>, symbol: string): number {
  for (const asset of assets) if (asset.symbol === symbol) return asset.scale
  throw new Error(`the scale of ${symbol} is not known: no such asset is listed`)
}
