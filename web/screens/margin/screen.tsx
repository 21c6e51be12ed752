import { scaleOf } from '@candor/core/money/scale.ts'
import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { Suspense, useState } from 'react'
import { useConfig } from '../../app/config.ts'
import { usePlace } from '../../app/location.ts'
import { painted } from '../../app/painted.ts'
import { loadFurther } from '../../app/routes.ts'
import { useMe } from '../../app/session.ts'
import { useSettings } from '../../app/settings.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { CertifyGate, useIsCertified } from '../../parts/account/certify-gate.tsx'
import { accountOf, useMarginAccounts } from '../../parts/margin/data.ts'
import { useTitle } from '../../parts/ui/page.tsx'
import { RowsSkeleton, ScreenSkeleton } from '../../parts/ui/skeleton.tsx'
import { Empty, Failure } from '../../parts/ui/state.tsx'
import { later } from '../../parts/ui/later.tsx'
import { SpotDesk } from '../../parts/spot/desk.tsx'
import type { OnMargin } from '../../parts/spot/use-ticket.ts'
import { Desks } from '../../parts/desk/desks.tsx'
import { borrowModeOf, useChoice } from './choice.ts'
import { Head } from './head.tsx'
import { IndexLine } from './index-line.tsx'
import { borrows, spendable } from './loan.ts'
import { LoanOptions } from './loan-options.tsx'
import { Sheets, type SheetName } from './sheets.tsx'
import { marginQuote } from '../../parts/margin/quote.ts'

/** Below the fold, so it is loaded after the desk. */
const Panel = later(async () => {
  await painted()
  const [panel] = await Promise.all([import('./panel.tsx'), loadFurther('/lever')])
  return panel.Panel
})

/** The desk of margin accounts: spot markets, traded with borrowed coins. */
export function Screen() {
  const { t } = useTranslation()
  const { query } = usePlace()
  const config = useConfig()
  const last = useSettings((settings) => settings.lastSymbol)
  const symbol = query.get('symbol') ?? last
  useTitle(t('trade.margin'))

  if (config.data === undefined) return config.error === null ? <ScreenSkeleton /> : <Failure error={config.error} />
  const markets = config.data.markets.filter((one) => one.kind === 'spot' && one.quote === marginQuote)
  const market = markets.find((one) => one.symbol === symbol) ?? (query.has('symbol') ? undefined : markets[0])
  if (market === undefined) {
    return (
      <>
        <Desks current="/lever" />
        <Empty text={t('trade.noSuchMarket', { symbol })}>
          <ButtonLink to="/market" variant="soft" size="small">
            {t('trade.toMarkets')}
          </ButtonLink>
        </Empty>
      </>
    )
  }
  return <MarginDesk key={market.symbol} market={market} config={config.data} side={query.get('side') === 'sell' ? 'sell' : 'buy'} />
}

function MarginDesk({ market, config, side }: { readonly market: WireMarket; readonly config: WireConfig; readonly side: Side }) {
  const { t } = useTranslation()
  const choice = useChoice(market.symbol)
  const accounts = useMarginAccounts(market.symbol)
  const account = accountOf(accounts.data, choice.mode, market.symbol)
  const isVisitor = useMe() === undefined
  const isCertified = useIsCertified()
  const [sheet, setSheet] = useState<SheetName>()
  const [isGated, setIsGated] = useState(false)
  const balanceOf = (asset: string) => account?.balances.find((one) => one.asset === asset)
  const owes = account !== undefined && Number(account.debtUsdt) > 0
  const hasAny = account !== undefined && Number(account.assetsUsdt) > 0
  const open = (name: SheetName): void => {
    // Users who are no longer verified can still repay and withdraw their assets.
    if (isCertified || (name === 'repay' && owes) || (name === 'transfer' && hasAny)) setSheet(name)
    else setIsGated(true)
  }

  const onMargin: OnMargin = {
    path: '/lever',
    order: { account: choice.mode === 'cross' ? 'margin-cross' : 'margin-isolated', borrow: borrowModeOf(choice) },
    available: choice.borrows ? t('margin.withLoan') : t('trade.available'),
    spendable: (asset) => (account === undefined ? undefined : spendable(balanceOf(asset), choice.borrows, scaleOf(config.assets, asset))),
    loanOf: ({ hold, costAsset }) => (choice.borrows ? borrows(hold, balanceOf(costAsset), scaleOf(config.assets, costAsset)) : '0'),
    inTicket: (ticket) =>
      isVisitor ? null : (
        <LoanOptions
          ticket={ticket}
          choice={choice}
          balance={balanceOf(ticket.summary.costAsset)}
          scale={scaleOf(config.assets, ticket.summary.costAsset)}
          onTransfer={() => open('transfer')}
        />
      ),
    isGated: () => {
      // Users with a debt may trade their assets, without another loan.
      const gates = !isCertified && (!owes || choice.borrows)
      setIsGated(gates)
      return gates
    },
  }
  const head = <Head market={market} choice={choice} account={account} error={accounts.error} onOpen={open} />
  return (
    <>
      <SpotDesk
        market={market}
        config={config}
        side={side}
        margin={onMargin}
        reference={<IndexLine market={market} />}
        head={head}
        account={head}
        panel={
          <Suspense fallback={<RowsSkeleton rows={2} />}>
            <Panel market={market} mode={choice.mode} account={account} error={accounts.error} />
          </Suspense>
        }
      />
      {sheet !== undefined && account !== undefined && (
        <Sheets sheet={sheet} market={market} config={config} account={account} onClose={() => setSheet(undefined)} />
      )}
      <CertifyGate isOpen={isGated} onClose={() => setIsGated(false)} />
    </>
  )
}
