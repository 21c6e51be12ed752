/** Groups of coins, by symbol. A coin may be in several; one that is in none is found by name or in the list of all markets. */
export const categories = {
  majors: ['BTC', 'ETH', 'BNB', 'SOL', 'XRP'],
  layer1: ['ETH', 'SOL', 'ADA', 'AVAX', 'DOT', 'TRX', 'ATOM', 'ALGO', 'NEO', 'XTZ', 'EOS', 'ZIL', 'QTUM', 'WAVES', 'ICX', 'KSM'],
  payments: ['XRP', 'LTC', 'BCH', 'XLM', 'DASH', 'DOGE', 'NANO', 'XMR', 'ZEC', 'BSV', 'DCR', 'RVN'],
  defi: ['AAVE', 'UNI', 'LINK', 'COMP', 'CRV', 'MKR', 'SNX', 'SUSHI', 'YFI', 'KNC', 'UMA', 'ZRX', 'REN', 'GNO'],
  infrastructure: ['LINK', 'GRT', 'FIL', 'STORJ', 'BTT', 'VET', 'LSK', 'MATIC', 'OMG'],
  media: ['MANA', 'SAND', 'ENJ', 'THETA', 'BAT'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Category = keyof typeof categories
export const categoryNames = Object.keys(categories) as readonly Category[]

/** The categories that have at least one of these coins, in their order. */
export function categoriesOf(coins: ReadonlySet<string>): readonly Category[] {
  return categoryNames.filter((name) => categories[name].some((coin) => coins.has(coin)))
}
