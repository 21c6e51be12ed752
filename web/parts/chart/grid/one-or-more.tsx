import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { ReactNode } from 'react'
import { usePreference } from '../../../app/preferences/preferences.ts'
import { gridRules } from './arrangement.ts'
import { ChartGrid } from './grid.tsx'

/** In a wide window: one chart, or as many as the user chose. */
export function OneOrMore({ start, one }: { readonly start: WireMarket; readonly one: ReactNode }) {
  const [{ count }] = usePreference('chart-grid', gridRules)
  return count === 1 ? one : <ChartGrid start={start} />
}
