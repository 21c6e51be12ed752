import { BookOpenCheck, Globe, Receipt, ShieldCheck } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { navigate } from '../../app/location.ts'
import { prefetch } from '../../app/routes.ts'
import { Button, ButtonLink } from '../../parts/ui/button.tsx'
import { Mark } from '../../parts/ui/mark.tsx'
import { Fees } from '../../parts/funds/fees.tsx'
import { Movers } from '../../parts/market/movers.tsx'
import { Newest } from './newest.tsx'
import { SiteVolume } from '../../parts/market/site-volume.tsx'

/** The start page of visitors: a pitch, live prices, fees, and a way to sign up. */
export function Visitor() {
  const { t } = useTranslation()
  const [contact, setContact] = useState('')
  const signUp = (event: FormEvent): void => {
    event.preventDefault()
    navigate(contact.trim() === '' ? '/register' : `/register?contact=${encodeURIComponent(contact.trim())}`)
  }
  return (
    <div className="wide-flow flex flex-col gap-7 pb-6">
      <header className="flex min-h-13 flex-wrap items-center gap-2 ps-4 pe-2">
        <Mark size={26} />
        <span className="flex-1 text-17 font-semibold tracking-tight">Candor</span>
        <a href="#/lang" aria-label={t('shell.language')} className="press flex size-11 items-center justify-center text-fg2">
          <Globe size={20} strokeWidth={1.75} aria-hidden />
        </a>
        <ButtonLink to="/login" variant="ghost" size="small">
          {t('common.login')}
        </ButtonLink>
      </header>

      <Newest />

      <section className="flex flex-col gap-4 px-4">
        <h1 className="text-28 font-semibold text-balance">{t('home.headline')}</h1>
        <p className="text-15 text-pretty text-fg2">{t('home.lead')}</p>
        <form onSubmit={signUp} className="mt-1 flex gap-2">
          <input
            aria-label={t('common.contact')}
            placeholder={t('common.contact')}
            value={contact}
            onFocus={() => prefetch('/register')}
            onChange={(event) => setContact(event.target.value)}
            autoComplete="username"
            autoCapitalize="none"
            inputMode="email"
            className="min-h-12 min-w-0 flex-1 rounded-control border border-transparent bg-s2 px-3.5 text-15 outline-none focus:border-brand"
          />
          <Button type="submit">{t('common.register')}</Button>
        </form>
      </section>

      <Movers kinds={['volume', 'gainers', 'losers']} />
      <SiteVolume to="/daily" />

      <section className="flex flex-col gap-3 px-4">
        <h2 className="text-17 font-semibold">{t('home.why')}</h2>
        <ul className="flex flex-col gap-4 rounded-card bg-s1 p-4">
          <Reason icon={<BookOpenCheck size={20} strokeWidth={1.75} />} title={t('home.reasonLedger')} text={t('home.reasonLedgerText')} />
          <Reason icon={<Receipt size={20} strokeWidth={1.75} />} title={t('home.reasonCost')} text={t('home.reasonCostText')} />
          <Reason icon={<ShieldCheck size={20} strokeWidth={1.75} />} title={t('home.reasonOpen')} text={t('home.reasonOpenText')} />
        </ul>
      </section>

      <section className="flex flex-col gap-3 px-4">
        <h2 className="text-17 font-semibold">{t('shell.fees')}</h2>
        <Fees />
      </section>

      <footer className="flex flex-wrap justify-center gap-x-2 px-4">
        <ButtonLink to="/support" variant="ghost" size="small">
          {t('shell.support')}
        </ButtonLink>
        {(['/features', '/fees', '/contact', '/about'] as const).map((to) => (
          <ButtonLink key={to} to={to} variant="ghost" size="small">
            {to === '/about' ? t('shell.about') : t(`home.to.${to.slice(1) as 'features' | 'fees' | 'contact'}`)}
          </ButtonLink>
        ))}
      </footer>
    </div>
  )
}

function Reason({ icon, title, text }: { readonly icon: ReactNode; readonly title: string; readonly text: string }) {
  return (
    <li className="flex gap-3">
      <span aria-hidden className="flex size-9 shrink-0 items-center justify-center rounded-control bg-brandtint text-brand">
        {icon}
      </span>
      <span className="min-w-0">
        <span className="block text-15 font-semibold">{title}</span>
        <span className="block text-13 text-pretty text-fg2">{text}</span>
      </span>
    </li>
  )
}
