import { ArrowLeftRight, ClipboardList, Coins, History, Repeat, Headset, Settings2, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { Bell } from '../../parts/notices/bell.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { FaucetSheet } from '../../parts/funds/faucet-sheet.tsx'
import { Mark } from '../../parts/ui/mark.tsx'
import { TotalBalance } from '../../parts/funds/total-balance.tsx'
import { Movers } from '../../parts/market/movers.tsx'
import { Newest } from './newest.tsx'
import { SiteVolume } from '../../parts/market/site-volume.tsx'

/** The start page of users: balance, next steps, and movers. */
export function Dashboard() {
  const { t } = useTranslation()
  const [isFaucetOpen, setIsFaucetOpen] = useState(false)
  const balances = useBalances()
  const hasFaucet = (useConfig().data?.faucet.length ?? 0) > 0
  const isEmpty = balances.data !== undefined && Number(balances.data.totalUsdt) === 0

  return (
    <div className="flex flex-col gap-5 pb-6">
      <header className="flex min-h-13 items-center gap-2 ps-4 pe-2">
        <Mark size={26} />
        <h1 className="flex-1 text-17 font-semibold tracking-tight">Candor</h1>
        <a href="#/support" aria-label={t('shell.support')} className="press flex size-11 items-center justify-center text-fg2">
          <Headset size={20} strokeWidth={1.75} aria-hidden />
        </a>
        <Bell label={t('home.notices')} />
        <a href="#/setting" aria-label={t('shell.settings')} className="press flex size-11 items-center justify-center text-fg2">
          <Settings2 size={20} strokeWidth={1.75} aria-hidden />
        </a>
      </header>

      <Newest />

      <div className="px-4">
        <TotalBalance />
      </div>

      {isEmpty && (
        <section className="mx-4 flex flex-col gap-3 rounded-card bg-brandtint p-4">
          <h2 className="text-17 font-semibold">{hasFaucet ? t('home.startTitle') : t('home.emptyTitle')}</h2>
          <p className="text-13 text-fg2">{hasFaucet ? t('home.startText') : t('home.emptyText')}</p>
          {hasFaucet ? (
            <Button size="medium" className="self-start" onClick={() => setIsFaucetOpen(true)}>
              {t('home.faucet')}
            </Button>
          ) : (
            <ButtonLink to="/market" size="medium" className="self-start">
              {t('home.allMarkets')}
            </ButtonLink>
          )}
        </section>
      )}

      <nav aria-label={t('home.quick')} className="grid auto-cols-fr grid-flow-col gap-1 px-2">
        {hasFaucet && <Quick Icon={Coins} label={t('home.quickFunds')} onClick={() => setIsFaucetOpen(true)} />}
        <Quick Icon={ArrowLeftRight} label={t('home.quickTrade')} to="/spot" />
        <Quick Icon={Repeat} label={t('home.quickConvert')} to="/exchange" />
        <Quick Icon={ClipboardList} label={t('shell.orders')} to="/entrust" />
        <Quick Icon={History} label={t('shell.records')} to="/propertyRecord" />
      </nav>

      <Movers kinds={['favourites', 'volume', 'gainers', 'losers']} />
      <SiteVolume to="/daily" />
      <FaucetSheet isOpen={isFaucetOpen} onClose={() => setIsFaucetOpen(false)} />
    </div>
  )
}

function Quick({
  Icon,
  label,
  to,
  onClick,
}: {
  readonly Icon: LucideIcon
  readonly label: string
  readonly to?: string
  readonly onClick?: () => void
}) {
  const body = (
    <>
      <span aria-hidden className="flex size-11 items-center justify-center rounded-control bg-s2 text-fg">
        <Icon size={20} strokeWidth={1.75} />
      </span>
      <span className="max-w-full text-11 text-fg2 [overflow-wrap:anywhere] hyphens-auto">{label}</span>
    </>
  )
  const className = 'press flex min-w-0 flex-col items-center gap-1.5 py-1 text-center'
  return to === undefined ? (
    <button type="button" onClick={onClick} className={className}>
      {body}
    </button>
  ) : (
    <a href={`#${to}`} className={className}>
      {body}
    </a>
  )
}
