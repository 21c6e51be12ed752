import { useQuotes } from '../../app/quotes.ts'

/** Price of a coin in USDT; undefined if there is none. */
export type PriceOf = (asset: string) => number | undefined

/** Last prices in USDT, via BTC for coins without a USDT market. For estimates only. */
export function usePriceOf(): PriceOf {
  const quotes = useQuotes()
  const bySymbol = new Map(quotes.map((quote) => [quote.symbol, Number(quote.price)]))
  return (asset) => {
    if (asset === 'USDT') return 1
    const [direct, inBtc, btc] = [bySymbol.get(`${asset}USDT`), bySymbol.get(`${asset}BTC`), bySymbol.get('BTCUSDT')]
    return direct ?? (inBtc === undefined || btc === undefined ? undefined : inBtc * btc)
  }
}
