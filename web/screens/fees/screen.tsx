import { bind } from '@candor/client/bind.ts'
import * as convertColumn from '@candor/client/column/convert.ts'
import { useQuery } from '@tanstack/react-query'
import { http, queries } from '../../app/client.ts'
import { useConfig, useMarkets } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { useChains } from '../../parts/chains/data.ts'
import { Fees } from '../../parts/funds/fees.tsx'
import { useMarginTerms, usePools } from '../../parts/margin/data.ts'
import { useOptionTerms } from '../../parts/option/data.ts'
import { PageHeader } from '../../parts/ui/page.tsx'
import { Pull } from '../../parts/ui/pull.tsx'
import { FeeSection, FeeTable, type Row } from './fee-table.tsx'
import { sameTerms } from './same-terms.ts'

const convert = bind(convertColumn, http)

/** All fees, as the exchange charges them at this moment. */
export function Screen() {
  const { t } = useTranslation()
  return (
    <Pull onRefresh={() => queries.refetchQueries({ type: 'active' })}>
      <PageHeader title={t('site.fees.title')} />
      <div className="flex flex-col gap-7 pt-1 pb-10">
        <p className="px-4 text-15 text-pretty text-fg2">{t('site.fees.lead')}</p>
        <Spot />
        <Futures />
        <Margin />
        <Second />
        <Convert />
        <Withdrawals />
        <FeeSection title={t('site.fees.free')} hint={t('site.fees.freeHint')} />
      </div>
    </Pull>
  )
}

function Spot() {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <FeeSection title={t('site.fees.spot')} hint={t('site.fees.spotHint')} to="/spot" go={t('site.fees.toSpot')}>
      <Fees current={me?.feeTier} />
    </FeeSection>
  )
}

/** Markets with the same terms share a row. */
function Futures() {
  const { t } = useTranslation()
  const format = useFormats()
  const config = useConfig()
  const markets = useMarkets('perp')
  const me = useMe()
  if (config.data !== undefined && markets.length === 0) return null
  const groups = sameTerms(markets, ({ makerFeePpm, takerFeePpm, perp }) => `${makerFeePpm} ${takerFeePpm} ${perp?.liquidationFeePpm}`)
  const rows = groups.map((group): Row => {
    const [first] = group
    const name = groups.length === 1 ? t('site.fees.everyMarket') : group.map(({ base }) => base).join(', ')
    const { makerFeePpm = 0, takerFeePpm = 0, perp } = first ?? {}
    return { name, cells: [makerFeePpm, takerFeePpm, perp?.liquidationFeePpm ?? 0].map((ppm) => format.ppm(ppm)) }
  })
  return (
    <FeeSection title={t('site.fees.futures')} hint={t('site.fees.futuresHint')} to="/daily" go={t('site.fees.toFunding')}>
      {config.data !== undefined && config.data.perpFeeTiers.length > 0 && <Fees product="perp" current={me?.perpFeeTier} />}
      <FeeTable
        name={t('site.fees.market')}
        columns={[t('shell.maker'), t('shell.taker'), t('site.fees.liquidation')]}
        rows={config.data === undefined ? undefined : rows}
        error={config.error}
      />
    </FeeSection>
  )
}

function Margin() {
  const { t } = useTranslation()
  const format = useFormats()
  const terms = useMarginTerms()
  const pools = usePools()
  if (terms.data?.isOpen === false || pools.data?.length === 0) return null
  const rows = pools.data?.map(
    ({ asset, hourlyRate, earnRate }): Row => ({
      name: asset,
      coin: asset,
      cells: [format.percent(hourlyRate, 4), format.percent(Number(hourlyRate) * 24 * 365, 2), format.percent(earnRate, 2)],
    }),
  )
  const hint =
    terms.data === undefined
      ? ''
      : t('site.fees.marginHint', {
          zero: format.percent(terms.data.rateZero, 4),
          kink: format.percent(terms.data.rateKink, 4),
          at: format.percent(Number(terms.data.kink) * 100, 0),
          full: format.percent(terms.data.rateFull, 4),
        })
  return (
    <FeeSection title={t('site.fees.margin')} hint={hint} to="/lend" go={t('site.fees.toLending')}>
      <FeeTable
        name={t('site.fees.coin')}
        columns={[t('site.fees.hourly'), t('site.fees.yearly'), t('site.fees.lenders')]}
        rows={rows}
        error={pools.error}
      />
    </FeeSection>
  )
}

function Second() {
  const { t } = useTranslation()
  const format = useFormats()
  const terms = useOptionTerms()
  if (terms.data?.isOpen === false) return null
  const rows = terms.data?.rates.map(
    ({ seconds, profit, breakEven }): Row => ({
      name: format.span(seconds * 1_000),
      cells: [format.percent(profit, 0), format.percent(breakEven, 1)],
    }),
  )
  return (
    <FeeSection title={t('site.fees.second')} hint={t('site.fees.secondHint')} to="/Second" go={t('site.fees.toSecond')}>
      <FeeTable
        name={t('site.fees.duration')}
        columns={[t('site.fees.profit'), t('site.fees.breakEven')]}
        rows={rows}
        error={terms.error}
      />
    </FeeSection>
  )
}

function Convert() {
  const { t } = useTranslation()
  const format = useFormats()
  const terms = useQuery({ queryKey: ['convert', 'terms'], queryFn: () => convert.terms(), staleTime: 30_000 })
  if (terms.data?.isOpen === false) return null
  const rows = terms.data && [
    { name: t('site.fees.spread'), cells: [format.percent(terms.data.spreadPercent, 2)] },
    { name: t('site.fees.smallest'), cells: [`${format.number(terms.data.min)} USDT`] },
    { name: t('site.fees.largest'), cells: [`${format.number(terms.data.max)} USDT`] },
  ]
  return (
    <FeeSection title={t('site.fees.convert')} hint={t('site.fees.convertHint')} to="/exchange" go={t('site.fees.toConvert')}>
      <FeeTable rows={rows} error={terms.error} />
    </FeeSection>
  )
}

function Withdrawals() {
  const { t } = useTranslation()
  const format = useFormats()
  const chains = useChains()
  const rows = chains.data?.networks.flatMap(({ label, coins }) =>
    coins.flatMap(({ asset, withdrawal }): readonly Row[] =>
      withdrawal === null || !withdrawal.isOpen
        ? []
        : [{ name: `${asset} · ${label}`, coin: asset, cells: [format.number(withdrawal.fee), format.number(withdrawal.min)] }],
    ),
  )
  const isClosed = rows?.length === 0
  return (
    <FeeSection title={t('site.fees.withdrawals')} hint={isClosed ? t('site.fees.noWithdrawals') : t('site.fees.withdrawalsHint')}>
      {!isClosed && (
        <FeeTable name={t('site.fees.network')} columns={[t('site.fees.fee'), t('site.fees.smallest')]} rows={rows} error={chains.error} />
      )}
    </FeeSection>
  )
}
