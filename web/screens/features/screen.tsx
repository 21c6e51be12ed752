import {
  ArrowLeftRight,
  BookOpenCheck,
  CandlestickChart,
  ChevronRight,
  Code,
  HandCoins,
  Layers,
  type LucideIcon,
  Repeat,
  ShieldCheck,
  Sun,
  Timer,
  TrendingUp,
} from 'lucide-react'
import { useMarkets } from '../../app/config.ts'
import { useMe } from '../../app/session.ts'
import { useTranslation } from '../../app/translate.ts'
import { ButtonLink } from '../../parts/ui/button.tsx'
import { PageHeader } from '../../parts/ui/page.tsx'

/** What the exchange offers, in order, each with the screen that has it. `/docs` is a page of its own. */
const features = [
  { name: 'proof', Icon: BookOpenCheck, href: '#/proof' },
  { name: 'book', Icon: ArrowLeftRight, href: '#/spot' },
  { name: 'futures', Icon: TrendingUp, href: '#/contract' },
  { name: 'margin', Icon: HandCoins, href: '#/lever' },
  { name: 'second', Icon: Timer, href: '#/Second' },
  { name: 'convert', Icon: Repeat, href: '#/exchange' },
  { name: 'charts', Icon: CandlestickChart, href: '#/contractkline' },
  { name: 'api', Icon: Code, href: '/docs' },
  { name: 'safety', Icon: ShieldCheck, href: '#/safety' },
  { name: 'yours', Icon: Sun, href: '#/setting' },
  { name: 'open', Icon: Layers, href: '#/about' },
] as const satisfies readonly { readonly name: string; readonly Icon: LucideIcon; readonly href: string }[]

export function Screen() {
  const { t } = useTranslation()
  const isVisitor = useMe() === undefined
  const leverage = Math.max(1, ...useMarkets('perp').map(({ perp }) => perp?.leverageMax ?? 1))
  return (
    <>
      <PageHeader title={t('site.features.title')} />
      <div className="flex flex-col gap-5 px-4 pt-1 pb-10">
        <p className="text-22 font-semibold text-balance">{t('site.features.lead')}</p>
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-2">
          {features.map(({ name, Icon, href }) => (
            <li key={name}>
              <a
                href={href}
                {...(href.startsWith('#') ? {} : { target: '_blank', rel: 'noreferrer' })}
                className="press flex h-full items-start gap-3 rounded-card bg-s1 p-4"
              >
                <span aria-hidden className="flex size-10 shrink-0 items-center justify-center rounded-control bg-brandtint text-brand">
                  <Icon size={20} strokeWidth={1.75} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block text-15 font-semibold">{t(`site.features.${name}.title`)}</span>
                  <span className="block pt-0.5 text-13 text-pretty text-fg2">{t(`site.features.${name}.text`, { leverage })}</span>
                </span>
                <ChevronRight size={18} strokeWidth={1.75} aria-hidden className="shrink-0 self-center text-fg3" />
              </a>
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/fees" variant="soft" className="flex-1">
            {t('site.about.fees')}
          </ButtonLink>
          {isVisitor && (
            <ButtonLink to="/register" className="flex-1">
              {t('common.register')}
            </ButtonLink>
          )}
        </div>
      </div>
    </>
  )
}
