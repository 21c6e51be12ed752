import type { HomeCard } from '@candor/core/protocol/wire/own/preferences.ts'
import { Headset, Settings2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { useBalances } from '../../app/account.ts'
import { useConfig } from '../../app/config.ts'
import { loadArea } from '../../app/texts.ts'
import { routes } from '../../app/routes.ts'
import { type PreferenceRules, usePreference } from '../../app/preferences/preferences.ts'
import { Bell } from '../../parts/notices/bell.tsx'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { FaucetSheet } from '../../parts/funds/faucet-sheet.tsx'
import { later, laterSheet } from '../../parts/ui/later.tsx'
import { Mark } from '../../parts/ui/mark.tsx'
import { TotalBalance } from '../../parts/funds/total-balance.tsx'
import { offeredActions, shownActions, usualLayout } from './layout.ts'
import { Links } from './links.tsx'
import { Movers } from '../../parts/market/movers.tsx'
import { Newest } from './newest.tsx'
import { QuickActions } from './quick.tsx'
import { SiteVolume } from '../../parts/market/site-volume.tsx'

const ArrangeSheet = laterSheet(() => import('./arrange-sheet.tsx').then((module) => module.ArrangeSheet))
/** It needs what the security centre needs, which a first look at home does not. */
const NextSteps = later(async () => {
  const [steps] = await Promise.all([import('./next-steps.tsx'), loadArea('first')])
  return steps.NextSteps
})
const layoutRules: PreferenceRules<'home'> = { fallback: usualLayout }

/** The start page of users: balance, and cards in the order of their owner. */
export function Dashboard() {
  const { t } = useTranslation()
  const [isFaucetOpen, setIsFaucetOpen] = useState(false)
  const [isArranging, setIsArranging] = useState(false)
  const balances = useBalances()
  const hasFaucet = (useConfig().data?.faucet.length ?? 0) > 0
  const isEmpty = balances.data !== undefined && Number(balances.data.totalUsdt) === 0
  const [layout, change] = usePreference('home', layoutRules)
  const offered = offeredActions(hasFaucet, routes)
  const actions = shownActions(layout, offered)
  const cards: Readonly<Record<HomeCard, ReactNode>> = {
    // An empty account has one thing to do first, which the card above says.
    next: isEmpty ? null : (
      <Suspense key="next">
        <NextSteps change={change} />
      </Suspense>
    ),
    quick: <QuickActions key="quick" actions={actions} onFunds={() => setIsFaucetOpen(true)} />,
    markets: <Movers key="markets" kinds={['favourites', 'gainers', 'losers', 'new', 'volume']} />,
    volume: <SiteVolume key="volume" to="/daily" />,
    links: <Links key="links" />,
  }

  return (
    <div className="wide-flow flex flex-col gap-5 pb-6">
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

      {layout.cards.map((card) => cards[card])}

      <Button variant="ghost" size="small" className="self-center" onClick={() => setIsArranging(true)}>
        {t('home.arrange')}
      </Button>
      <FaucetSheet isOpen={isFaucetOpen} onClose={() => setIsFaucetOpen(false)} />
      {isArranging && (
        <Suspense>
          <ArrangeSheet layout={layout} shown={actions} offered={offered} onChange={change} onClose={() => setIsArranging(false)} />
        </Suspense>
      )}
    </div>
  )
}
