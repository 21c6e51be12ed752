import type { WireMarginAccount } from '@candor/core/protocol/wire/margin.ts'
import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { Button } from '../../parts/ui/button.tsx'
import { CeilingLine } from '../../parts/desk/ceiling.tsx'
import { Amount } from '../../parts/ui/figure.tsx'
import { offeredLeverage, useMarginTerms } from '../../parts/margin/data.ts'
import { LevelGauge } from '../../parts/margin/gauge.tsx'
import { Skeleton } from '../../parts/ui/skeleton.tsx'
import { Failure } from '../../parts/ui/state.tsx'
import { Segmented } from '../../parts/ui/tabs.tsx'
import type { Choice } from './choice.ts'
import type { SheetName } from './sheets.tsx'

/** The account that orders belong to: its mode, margin level and debt, and buttons to transfer, borrow and repay. */
export function Head({
  market,
  choice,
  account,
  error,
  onOpen,
}: {
  readonly market: WireMarket
  readonly choice: Choice
  readonly account: WireMarginAccount | undefined
  readonly error: unknown
  readonly onOpen: (sheet: SheetName) => void
}) {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const terms = useMarginTerms().data
  const leverage = offeredLeverage(terms, choice.mode)
  return (
    <section aria-label={t('margin.accountTab')} className="mx-4 mt-3 flex flex-col gap-2.5 rounded-card bg-s1 p-3">
      <Segmented
        size="small"
        label={t('margin.modeLabel')}
        value={choice.mode}
        onChange={(mode) => choice.set({ mode })}
        choices={[
          { value: 'cross', label: t('margin.mode.cross') },
          { value: 'isolated', label: t('margin.mode.isolated') },
        ]}
      />
      {/* The line keeps its height before the terms are there. */}
      <p className="text-11 text-fg3">{leverage === undefined ? '\u00a0' : t(`margin.modeHint.${choice.mode}`, { leverage })}</p>
      {leverage !== undefined && account !== undefined && <CeilingLine ceiling={account.ceiling} most={leverage} />}
      {isVisitor ? null : account === undefined ? (
        error === null ? (
          <Skeleton className="h-12 w-full" />
        ) : (
          <Failure error={error} isSmall />
        )
      ) : (
        <>
          <LevelGauge account={account} market={choice.mode === 'isolated' ? market : undefined} />
          <Figures account={account} />
          <div className="flex flex-wrap gap-2">
            {(['transfer', 'borrow', 'repay'] as const).map((name) => (
              <Button
                key={name}
                variant="soft"
                size="small"
                className="grow basis-[28%]"
                aria-haspopup="dialog"
                onClick={() => onOpen(name)}
              >
                {t(`margin.${name}`)}
              </Button>
            ))}
          </div>
        </>
      )}
    </section>
  )
}

/** The account's assets and debt, and the interest of up to three coins. */
function Figures({ account }: { readonly account: WireMarginAccount }) {
  const { t } = useTranslation()
  const accrued = account.balances.filter((one) => Number(one.interest) > 0)
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-12 [&_dt]:text-11 [&_dt]:text-fg3">
      <div>
        <dt>{t('margin.assets')}</dt>
        <dd>
          <Amount value={account.assetsUsdt} asset="USDT" />
        </dd>
      </div>
      <div>
        <dt>{t('margin.debt')}</dt>
        <dd>
          <Amount value={account.debtUsdt} asset="USDT" />
        </dd>
      </div>
      <div>
        <dt>{t('margin.interest')}</dt>
        <dd className="flex flex-col">
          {accrued.length === 0 ? (
            <Amount value="0" asset="USDT" />
          ) : (
            accrued.slice(0, 3).map((one) => <Amount key={one.asset} value={one.interest} asset={one.asset} isFull />)
          )}
        </dd>
      </div>
    </dl>
  )
}
