import type { WireConfig } from '@candor/core/protocol/wire/market.ts'
import { ChevronRight, Eye, EyeOff } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { queries } from '../../app/client.ts'
import { useConfig } from '../../app/config.ts'
import { useFormats } from '../../app/format.ts'
import { loadTickers } from '../../app/quotes.ts'
import { useMe } from '../../app/session.ts'
import { set, useSettings } from '../../app/settings.ts'
import { loadArea } from '../../app/texts.ts'
import { ButtonLink, IconButton } from '../../parts/ui/button.tsx'
import { Coin } from '../../parts/funds/coin.tsx'
import { Check } from '../../parts/fields/field.tsx'
import { Amount, Triangle } from '../../parts/ui/figure.tsx'
import { FaucetButton } from '../../parts/funds/faucet-button.tsx'
import { Total } from '../../parts/funds/total.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'
import { usePriceOf } from '../../parts/funds/price-of.ts'
import { Pull } from '../../parts/ui/pull.tsx'
import { RowsSkeleton, Skeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { Turn } from '../../parts/ui/turn.tsx'
import { CoinSheet } from './coin-sheet.tsx'
import { type Holding, holdingsOf, sharesOf, shownHoldings } from './holdings.ts'

// Accounts and profits are below the fold, so their code and texts are loaded later.
const Accounts = later(async () => {
  const [module] = await Promise.all([import('./accounts.tsx'), loadArea('accounts')])
  return module.Accounts
})
const Profit = later(async () => {
  const [module] = await Promise.all([import('./profit.tsx'), loadArea('accounts')])
  return module.Profit
})

const CostLine = later(async () => {
  const [module] = await Promise.all([import('../../parts/funds/cost-line.tsx'), loadArea('costs')])
  return module.CostLine
})

/** The user's assets: the total, today's profit, and every coin. */
export function Screen() {
  const { t } = useTranslation()
  const me = useMe()
  const config = useConfig()
  const isHidden = useSettings((settings) => settings.hideBalances)
  return (
    <Pull onRefresh={() => Promise.all([loadTickers(), queries.invalidateQueries({ queryKey: ['own'] })])}>
      <PageHeader title={t('assets.title')} hasBack={false}>
        {me !== undefined && (
          <IconButton
            label={isHidden ? t('assets.show') : t('assets.hide')}
            aria-pressed={isHidden}
            onClick={() => set({ hideBalances: !isHidden })}
          >
            {isHidden ? <EyeOff size={20} strokeWidth={1.75} aria-hidden /> : <Eye size={20} strokeWidth={1.75} aria-hidden />}
          </IconButton>
        )}
      </PageHeader>
      {me === undefined ? (
        <Empty text={t('assets.loginFirst')}>
          <ButtonLink to="/login?next=/property" size="medium">
            {t('trade.login')}
          </ButtonLink>
        </Empty>
      ) : config.data === undefined ? (
        config.error === null ? (
          <RowsSkeleton />
        ) : (
          <Failure error={config.error} />
        )
      ) : (
        <Assets config={config.data} />
      )}
    </Pull>
  )
}

/** What can be done with the assets. */
function Actions({ config }: { readonly config: WireConfig }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap gap-2 px-4 pt-4 [&>*]:min-w-[40%]">
      <ButtonLink to="/recharge" size="medium" className="flex-1">
        {t('assets.deposit')}
      </ButtonLink>
      <ButtonLink to="/withdrawel" variant="soft" size="medium" className="flex-1">
        {t('assets.withdraw')}
      </ButtonLink>
      <ButtonLink to="/exchange" variant="soft" size="medium" className="flex-1">
        {t('assets.convert')}
      </ButtonLink>
      <ButtonLink to="/spot" variant="soft" size="medium" className="flex-1">
        {t('assets.trade')}
      </ButtonLink>
      <ButtonLink to="/transfer" variant="soft" size="medium" className="flex-1">
        {t('assets.transfer')}
      </ButtonLink>
      <ButtonLink to="/propertyRecord" variant="soft" size="medium" className="flex-1">
        {t('assets.records')}
      </ButtonLink>
      {config.faucet.some((one) => one.asset === 'USDT') && <FaucetButton asset="USDT" />}
    </div>
  )
}

function Assets({ config }: { readonly config: WireConfig }) {
  const { t } = useTranslation()
  const query = useBalances()
  const priceOf = usePriceOf()
  const [text, setText] = useState('')
  const [hidesSmall, setHidesSmall] = useState(false)
  const [opened, setOpened] = useState<string>()
  if (query.data === undefined)
    return query.error === null ? <AssetsSkeleton /> : <Failure error={query.error} onRetry={() => void query.refetch()} />
  const holdings = holdingsOf(query.data, config.assets, priceOf)
  const shown = shownHoldings(holdings, text, hidesSmall)
  const holding = holdings.find((one) => one.asset === opened)
  return (
    <div className="wide-columns flex flex-col">
      <div className="flex flex-col">
        <Overview total={query.data.totalUsdt} profit={query.data.todayProfitUsdt} />
        <Shares holdings={holdings} />
        <Actions config={config} />
        <Turn waiting={<RowsSkeleton rows={8} />}>
          <Suspense fallback={<RowsSkeleton rows={8} />}>
            <Accounts balances={query.data} config={config} />
          </Suspense>
        </Turn>
      </div>
      <div className="flex flex-col">
        <Turn>
          <Suspense>
            <Profit />
          </Suspense>
        </Turn>
        <Turn>
          <section className="pt-6">
            <div className="flex items-center gap-3 px-4 pb-1">
              <h2 className="flex-1 text-17 font-semibold">{t('assets.account.spot')}</h2>
              <Check isOn={hidesSmall} onChange={setHidesSmall}>
                {t('assets.hideSmall')}
              </Check>
            </div>
            <div className="px-4 py-2">
              <input
                type="search"
                aria-label={t('assets.search')}
                placeholder={t('assets.search')}
                value={text}
                onChange={(event) => setText(event.target.value)}
                className="h-10 w-full rounded-control bg-s2 px-3.5 text-15"
              />
            </div>
            {shown.length === 0 ? (
              <Empty text={t('assets.noneFound')} />
            ) : (
              <ul>
                {shown.map((one) => (
                  <li key={one.asset}>
                    <HoldingRow holding={one} config={config} onOpen={() => setOpened(one.asset)} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        </Turn>
      </div>
      {holding !== undefined && <CoinSheet holding={holding} config={config} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

/** The total, and today's profit or loss. */
function Overview({ total, profit }: { readonly total: string; readonly profit: string | null }) {
  const { t } = useTranslation()
  const format = useFormats()
  const isHidden = useSettings((settings) => settings.hideBalances)
  const gain = Number(profit ?? 0)
  return (
    <section className="flex flex-col gap-1 px-4 pt-1">
      <h2 className="text-12 text-fg3">{t('assets.total')}</h2>
      <Total usdt={total} label={t('assets.switchUnit')} />
      {profit !== null && (
        <a href="#/daily?view=mine" className="inline-flex min-h-8 items-center gap-1 self-start text-13 text-fg2">
          {t('assets.today')}{' '}
          {isHidden ? (
            <span aria-label={t('common.hidden')} role="img">
              ••••
            </span>
          ) : (
            <span className={`tn inline-flex items-center gap-1 font-medium ${gain > 0 ? 'text-up' : gain < 0 ? 'text-down' : ''}`}>
              {gain !== 0 && <Triangle direction={gain > 0 ? 1 : -1} />}
              {gain > 0 ? '+' : ''}
              {format.usdt(profit).replace('-', '−')} USDT
            </span>
          )}
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden className="text-fg3" />
        </a>
      )}
    </section>
  )
}

const tones = ['var(--brand)', 'var(--blue)', 'var(--green)', 'var(--warn)', 'var(--red)', 'var(--fg3)']

function Shares({ holdings }: { readonly holdings: readonly Holding[] }) {
  const { t } = useTranslation()
  const format = useFormats()
  const shares = sharesOf(holdings)
  if (shares.length === 0) return null
  return (
    <figure className="flex flex-col gap-2 px-4 pt-4">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {shares.map((share, index) => (
          <span key={share.asset} style={{ width: `${share.percent}%`, background: share.asset === '' ? tones[5] : tones[index] }} />
        ))}
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-11 text-fg2">
        {shares.map((share, index) => (
          <span key={share.asset} className="inline-flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full" style={{ background: share.asset === '' ? tones[5] : tones[index] }} />
            {share.asset === '' ? t('assets.others') : share.asset}
            <span className="tn">{format.percent(share.percent, 1)}</span>
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function HoldingRow({ holding, config, onOpen }: { readonly holding: Holding; readonly config: WireConfig; readonly onOpen: () => void }) {
  const { t } = useTranslation()
  const coin = config.assets.find(({ symbol }) => symbol === holding.asset)
  return (
    <button type="button" onClick={onOpen} className="flex min-h-15 w-full items-center gap-3 px-4 py-1.5 text-start active:bg-s2">
      <Coin asset={holding.asset} size={32} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-center justify-between gap-3">
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="text-15 font-semibold">{holding.asset}</span>
            <span className="truncate text-12 text-fg3">
              {Number(holding.held) > 0 ? (
                <>
                  {t('assets.held')} <Amount value={holding.held} asset={holding.asset} isBare />
                </>
              ) : (
                holding.name
              )}
            </span>
          </span>
          <span className="flex flex-col items-end">
            <Amount value={holding.available} asset={holding.asset} isBare className="text-15 font-medium" />
            <span className="text-11 text-fg3">
              {holding.worth === undefined ? '–' : <Amount value={holding.worth.toFixed(2)} asset="USDT" />}
            </span>
          </span>
        </span>
        {coin !== undefined && (
          <Suspense>
            <CostLine asset={coin} />
          </Suspense>
        )}
      </span>
    </button>
  )
}

function AssetsSkeleton() {
  return (
    <>
      <div aria-hidden className="flex flex-col gap-2 px-4 pb-6">
        <Skeleton className="h-4 w-32" />
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-4 w-40" />
      </div>
      <RowsSkeleton rows={8} />
    </>
  )
}
