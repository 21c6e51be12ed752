import { ArrowLeftRight, ChartNoAxesColumn, House, UserRound, Wallet, type LucideIcon } from 'lucide-react'
import { useTranslation } from '../app/translate.ts'
import { tick } from '../app/haptics.ts'
import { useTradePath } from '../app/preferences/use-layout.ts'
import { prefetch } from '../app/routes.ts'

type Tab = {
  readonly to: string
  readonly on: readonly string[]
  readonly Icon: LucideIcon
  readonly key: 'shell.home' | 'shell.market' | 'shell.trade' | 'shell.assets' | 'shell.me'
}

const tabs: readonly Tab[] = [
  { to: '/', on: ['/'], Icon: House, key: 'shell.home' },
  { to: '/market', on: ['/market'], Icon: ChartNoAxesColumn, key: 'shell.market' },
  { to: '/deal', on: ['/deal', '/contract', '/lever', '/Second', '/spot'], Icon: ArrowLeftRight, key: 'shell.trade' },
  { to: '/property', on: ['/property'], Icon: Wallet, key: 'shell.assets' },
  { to: '/me', on: ['/me'], Icon: UserRound, key: 'shell.me' },
]

export function TabBar({ path }: { readonly path: string }) {
  const { t } = useTranslation()
  const desk = useTradePath()
  return (
    <nav aria-label={t('shell.tabs')} className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]">
      <ul className="mx-auto flex max-w-[40rem]">
        {tabs.map(({ to, on, Icon, key }) => {
          const isOn = on.includes(path)
          const target = to === '/deal' ? desk : to
          return (
            <li key={to} className="min-w-0 flex-1">
              <a
                href={`#${target}`}
                aria-current={isOn ? 'page' : undefined}
                onPointerDown={() => prefetch(target)}
                onClick={() => tick()}
                className={`press flex flex-col items-center gap-0.5 py-1.5 text-11 font-medium ${isOn ? 'text-fg' : 'text-fg3'}`}
              >
                <span className={`flex h-7 w-12 items-center justify-center rounded-full ${isOn ? 'bg-brandtint text-brand' : ''}`}>
                  <Icon size={22} strokeWidth={1.75} aria-hidden />
                </span>
                <span className="max-w-full truncate">{t(key)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
