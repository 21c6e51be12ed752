import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import type { ReactNode } from 'react'
import { useMarket } from '../../../app/config.ts'
import { useFormats } from '../../../app/format.ts'
import { useTranslation } from '../../../app/translate.ts'
import { Amount } from '../../../parts/ui/figure.tsx'
import { useNow } from '../../../parts/live/clock.ts'
import { againPath } from '../../../parts/option/data.ts'
import { DirectionTag } from '../../../parts/option/direction.tsx'
import { phaseOf, secondsLeft } from '../../../parts/option/order.ts'
import { Announcer, Standing } from '../../../parts/option/running-list.tsx'
import { SignedAmount } from '../../../parts/option/settled-row.tsx'
import { clockOf, durationOf, resultOf, shortPrice, toneOf } from '../../../parts/option/words.ts'
import type { ListProps } from '../panel.tsx'

/** Stakes and results are in it: a column's head names it once. */
const currency = 'USDT'

/** Running orders as rows of a table. The button in the first column opens the details. */
export function RunningTable({ orders, onOpen }: ListProps) {
  const { t } = useTranslation()
  return (
    <>
      <Table label={t('settled.tab.current')}>
        <thead>
          <tr>
            <th>{t('settled.order')}</th>
            <th>{t('option.duration')}</th>
            <th>{`${t('option.stake')} (${currency})`}</th>
            <th>{`${t('settled.profitIfWon')} (${currency})`}</th>
            <th>{t('option.opening')}</th>
            <th>{t('settled.filterResult')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <RunningRow key={order.id} order={order} onOpen={onOpen} />
          ))}
        </tbody>
      </Table>
      <Announcer orders={orders} />
    </>
  )
}

function RunningRow({ order, onOpen }: RowProps) {
  const { t } = useTranslation()
  const price = usePrice(order)
  const now = useNow(500)
  const phase = phaseOf(order, now)
  return (
    <tr>
      <OrderCell order={order} onOpen={onOpen} />
      <td>
        {durationOf(order.seconds, t)} <span className="text-fg3">· {clockOf(secondsLeft(order, now))}</span>
      </td>
      <td>
        <Amount value={order.stake} asset={currency} isBare />
      </td>
      <td>
        +<Amount value={order.profit} asset={currency} isBare />
      </td>
      <td>{price(order.strike)}</td>
      <td>{phase === 'running' ? <Standing order={order} /> : t(`option.phase.${phase}`)}</td>
    </tr>
  )
}

/** Settled orders as rows of a table. The link at the end fills the ticket with the terms of an order. */
export function SettledTable({ orders, onOpen }: ListProps) {
  const { t } = useTranslation()
  return (
    <Table label={t('settled.tab.history')}>
      <thead>
        <tr>
          <th>{t('settled.order')}</th>
          <th>{t('option.duration')}</th>
          <th>{`${t('option.stake')} (${currency})`}</th>
          <th>{t('option.opening')}</th>
          <th>{t('settled.settlement')}</th>
          <th>{`${t('settled.filterResult')} (${currency})`}</th>
          <th>{t('settled.completed')}</th>
          <th>
            <span className="sr-only">{t('settled.again')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <SettledRow key={order.id} order={order} onOpen={onOpen} />
        ))}
      </tbody>
    </Table>
  )
}

function SettledRow({ order, onOpen }: RowProps) {
  const { t } = useTranslation()
  const format = useFormats()
  const price = usePrice(order)
  return (
    <tr>
      <OrderCell order={order} onOpen={onOpen} />
      <td>{durationOf(order.seconds, t)}</td>
      <td>
        <Amount value={order.stake} asset={currency} isBare />
      </td>
      <td>{price(order.strike)}</td>
      <td>{price(order.settlePrice)}</td>
      <td className={toneOf(order)}>
        {resultOf(order, t)} <SignedAmount order={order} />
      </td>
      <td className="text-fg2">{order.settledAt === undefined ? '' : format.dateTime(order.settledAt)}</td>
      <td>
        <a href={`#${againPath(order)}`} aria-label={`${t('settled.again')}: ${order.symbol}, ${durationOf(order.seconds, t)}`}>
          {t('settled.again')}
        </a>
      </td>
    </tr>
  )
}

type RowProps = { readonly order: WireOption; readonly onOpen: (id: string) => void }

function Table({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <table aria-label={label} className="tm-second tn">
      {children}
    </table>
  )
}

/** The market and the direction. */
function OrderCell({ order, onOpen }: RowProps) {
  const market = useMarket(order.symbol)
  return (
    <th scope="row">
      <button type="button" onClick={() => onOpen(order.id)}>
        {market === undefined ? order.symbol : `${market.base}/${market.quote}`} <DirectionTag direction={order.direction} />
      </button>
    </th>
  )
}

/** A price of an order as text; a dash where there is none, as in a void order. */
function usePrice({ symbol }: WireOption): (price: string | undefined) => string {
  const format = useFormats()
  const digits = useMarket(symbol)?.priceDigits ?? 0
  return (price) => (price === undefined || Number(price) === 0 ? '–' : shortPrice(price, digits, format))
}
