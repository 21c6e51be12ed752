import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { WireMark } from '@candor/core/protocol/wire/perp.ts'
import { useMemo } from 'react'
import { useConfig } from '../../app/config.ts'
import { useMe } from '../../app/session.ts'
import { settingOf, usePerpAccount } from './account.ts'
import { useMark, useMarkOf } from './marks.ts'
import { type Risks, risksOf, type Scales, scalesOf } from './risk.ts'

/** The account data for a market's ticket, at live mark prices. */
export function useRisks(market: WireMarket, config: WireConfig): Risks {
  const account = usePerpAccount().data
  const own = useMark(market.symbol)
  const others = useMarkOf((account?.positions ?? []).filter((one) => one.mode === 'cross').map((one) => one.symbol))
  const feeTier = useMe()?.perpFeeTier
  const scales = useMemo(() => scalesOf(config, market, feeTier), [config, market, feeTier])
  const marks = (symbol: string): WireMark | undefined => (symbol === market.symbol ? own : others(symbol))
  return risksOf(scales, account, settingOf(account, market.symbol), marks, (symbol) => scalesFor(config, symbol, feeTier))
}

/** Scales and terms of a perp market; undefined until the list of markets is loaded. */
export function useScales(symbol: string): Scales | undefined {
  const config = useConfig().data
  const feeTier = useMe()?.perpFeeTier
  return useMemo(() => (config === undefined ? undefined : scalesFor(config, symbol, feeTier)), [config, symbol, feeTier])
}

function scalesFor(config: WireConfig, symbol: string, feeTier: number | undefined): Scales | undefined {
  const market = config.markets.find((one) => one.symbol === symbol)
  return market === undefined ? undefined : scalesOf(config, market, feeTier)
}
