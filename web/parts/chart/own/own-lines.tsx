import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import type { Interval } from '@candor/core/protocol/market.ts'
import type { RefObject } from 'react'
import { client } from '../../../app/client.ts'
import { useConfig } from '../../../app/config.ts'
import { useMe } from '../../../app/session.ts'
import type { PriceChart } from '../chart.ts'
import type { LineName, PriceName } from '../kept.ts'
import { useAlertLines } from './alert-lines.tsx'
import { perp } from '../../perp/api.ts'
import { FillMarks } from './fill-marks.tsx'
import { LineLayer } from './layer.tsx'
import { PressMenu } from './press-menu.tsx'
import { usePerpLines, usePositionLines } from './perp-lines.tsx'
import { useSpotLines } from './spot-lines.tsx'

export type OwnLinesProps = {
  readonly market: WireMarket
  readonly chart: RefObject<PriceChart | undefined>
  readonly version: number
  readonly interval: Interval
  /** The price that the candles show. */
  readonly price: PriceName
  /** What is shown. */
  readonly shown: readonly LineName[]
}

/** The user's orders, positions and alerts as lines, and the own fills as marks, on the chart of a market. Visitors have none. */
export function OwnLines(props: OwnLinesProps) {
  const config = useConfig().data
  const me = useMe()
  if (config === undefined || me === undefined) return null
  const isPerp = props.market.kind === 'perp'
  return (
    <>
      {isPerp ? <PerpLines {...props} config={config} /> : <SpotLines {...props} config={config} />}
      <FillMarks {...props} isShown={props.shown.includes('fills')} fills={isPerp ? perp.fills : client.spot.fills} />
      <PressMenu {...props} source={props.price} />
    </>
  )
}

type Configured = OwnLinesProps & { readonly config: WireConfig }

function SpotLines({ shown, config, interval: _interval, price: _price, ...props }: Configured) {
  const asked = { market: props.market, config }
  const [orders, alerts] = [useSpotLines(asked), useAlertLines(asked)]
  return <LineLayer {...props} lines={[...(shown.includes('orders') ? orders : []), ...(shown.includes('alerts') ? alerts : [])]} />
}

function PerpLines({ shown, config, interval: _interval, price: _price, ...props }: Configured) {
  const asked = { market: props.market, config }
  const [orders, positions, alerts] = [usePerpLines(asked), usePositionLines(asked), useAlertLines(asked)]
  const lines = [
    ...(shown.includes('position') ? positions : []),
    ...(shown.includes('orders') ? orders : []),
    ...(shown.includes('alerts') ? alerts : []),
  ]
  return <LineLayer {...props} lines={lines} />
}
