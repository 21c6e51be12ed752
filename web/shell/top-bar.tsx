import { CircleUserRound, Settings } from 'lucide-react'
import { addStyles } from '../app/wide/add-styles.ts'
import { prefetch, routes } from '../app/routes.ts'
import { useMe } from '../app/session.ts'
import { loadArea } from '../app/texts.ts'
import { useTranslation } from '../app/translate.ts'
import { Bell } from '../parts/notices/bell.tsx'
import { Mark } from '../parts/ui/mark.tsx'
import css from './wide.css?inline'

addStyles(css)

const links = [
  { to: '/', key: 'shell.home' },
  { to: '/market', key: 'shell.market' },
  { to: '/spot', key: 'trade.spot' },
  { to: '/contract', key: 'trade.futures' },
  { to: '/lever', key: 'trade.margin' },
  { to: '/Second', key: 'trade.optionsDesk' },
  { to: '/property', key: 'shell.assets' },
] as const

/** The bar, when its texts are there. */
export async function loadTopBar(): Promise<typeof TopBar> {
  await Promise.all([loadArea('home'), loadArea('notices')])
  return TopBar
}

/** In wide windows: the tabs of the phone and the desks as links in a row, and the account at the end. */
function TopBar({ path }: { readonly path: string }) {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <header className="wide-bar">
      <a href="#/" className="wide-brand">
        <Mark size={22} />
        <span>Candor</span>
      </a>
      <nav aria-label={t('shell.tabs')} className="wide-links no-scrollbar">
        {links
          .filter(({ to }) => Object.hasOwn(routes, to))
          .map(({ to, key }) => (
            <a key={to} href={`#${to}`} aria-current={to === path ? 'page' : undefined} onPointerDown={() => prefetch(to)}>
              {t(key)}
            </a>
          ))}
      </nav>
      <span className="wide-end">
        {me !== undefined && <Bell label={t('home.notices')} />}
        <a href="#/setting" aria-label={t('shell.settings')} onPointerDown={() => prefetch('/setting')} className="wide-icon">
          <Settings size={18} strokeWidth={1.75} aria-hidden />
        </a>
        {me === undefined ? (
          <a href="#/login" className="wide-me" onPointerDown={() => prefetch('/login')}>
            {t('trade.login')}
          </a>
        ) : (
          <a href="#/me" className="wide-me" aria-current={path === '/me' ? 'page' : undefined} onPointerDown={() => prefetch('/me')}>
            <CircleUserRound size={16} strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{t('shell.me')}</span>
            <span className="tn">{me.uid}</span>
          </a>
        )}
      </span>
    </header>
  )
}
