/** The total in USDT, BTC or a currency. */
import type { Decimal } from '@candor/core/money/brand.ts'
import type { WireRates } from '@candor/core/protocol/wire/days/rates.ts'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { useQuote } from '../../app/quotes.ts'
import { useSettings } from '../../app/settings.ts'
import { useLang } from '../../app/texts.ts'
import { digitsOf, inCurrency } from './currency.ts'

/** `date`: day of the rates, for a currency only. */
export type Shown = { readonly unit: string; readonly value: Decimal; readonly digits: number; readonly date?: string }

/** The reference rates; asked for only when `isNeeded`. */
export function useRates(isNeeded = true): WireRates | undefined {
  return useQuery({ queryKey: ['rates'], queryFn: () => client.market.rates(), enabled: isNeeded, staleTime: 3_600_000 }).data
}

/** A total in the unit that the person chose, or in USDT until its rate is known. */
export function useShown(usdt: Decimal): Shown {
  const chosen = useSettings((settings) => settings.totalIn)
  const tag = useLang((state) => state.tag)
  const btc = useQuote('BTCUSDT')?.price
  const rates = useRates(chosen !== 'USDT' && chosen !== 'BTC')
  if (chosen === 'BTC' && btc !== undefined) return { unit: 'BTC', value: (Number(usdt) / Number(btc)).toFixed(8), digits: 8 }
  const rate = rates?.perUsd.find(({ currency }) => currency === chosen)?.rate
  if (rates === undefined || rate === undefined) return { unit: 'USDT', value: usdt, digits: 2 }
  const digits = digitsOf(chosen, tag)
  return { unit: chosen, value: inCurrency(usdt, rate, digits), digits, date: rates.date }
}
