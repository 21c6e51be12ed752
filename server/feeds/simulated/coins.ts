/** Behaviour of a coin. Volatilities are annual; `beta` is its sensitivity to the whole market. */
export type Coin = { readonly symbol: string; readonly price: number; readonly beta: number; readonly volatility: number }

/** Initial prices of the simulated market when nothing else is known, in USDT. */
export const coins: readonly Coin[] = [
  { symbol: 'BTC', price: 104_500, beta: 1, volatility: 0.14 },
  { symbol: 'ETH', price: 2_540, beta: 1.25, volatility: 0.32 },
  { symbol: 'BNB', price: 656, beta: 0.85, volatility: 0.28 },
  { symbol: 'SOL', price: 156, beta: 1.4, volatility: 0.5 },
  { symbol: 'XRP', price: 2.17, beta: 1.15, volatility: 0.5 },
  { symbol: 'TRX', price: 0.268, beta: 0.5, volatility: 0.3 },
  { symbol: 'DOGE', price: 0.192, beta: 1.45, volatility: 0.6 },
  { symbol: 'ADA', price: 0.68, beta: 1.3, volatility: 0.5 },
  { symbol: 'AVAX', price: 20.6, beta: 1.4, volatility: 0.55 },
  { symbol: 'LINK', price: 13.9, beta: 1.35, volatility: 0.5 },
  { symbol: 'DOT', price: 4.06, beta: 1.3, volatility: 0.5 },
  { symbol: 'LTC', price: 88.2, beta: 1.05, volatility: 0.4 },
]

/** Behaviour of a coin that an operator lists later and that is not described here. */
export function coinOf(symbol: string): Coin {
  return coins.find((coin) => coin.symbol === symbol) ?? { symbol, price: 1, beta: 1.2, volatility: 0.6 }
}
