/** The frame around every page: side bar, header, keyboard, and the dialog that asks for a new login. */
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent, Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { ChevronsUpDown, CircleUser, Keyboard } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { countOf, shortAgeOf } from '../app/format.ts'
import { useKeys } from '../app/keys.ts'
import { useNow } from '../app/now.ts'
import { overviewQuery } from '../app/queries.ts'
import { livesMs, logOut } from '../app/session.ts'
import { useShared } from '../app/store.ts'
import { t } from '../app/texts.ts'
import { chooseTheme, type Theme, theme, themes } from '../app/theme.ts'
import type { Me } from '../app/wire.ts'
import { Menu } from '../parts/menu.tsx'
import { Mark } from '../parts/ui.tsx'
import { FreshQuestion } from './fresh-question.tsx'
import { useAlive } from './alive.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { type PageLink, pageLinks } from './pages.ts'

/** Loaded after the page, because its list of suggestions is a tenth of the first load. */
const Search = lazyRouteComponent(() => import('./search.tsx'), 'Search')

export function Frame({ me, children }: { readonly me: Me; readonly children: ReactNode }): ReactNode {
  const main = useRef<HTMLElement>(null)
  const [hasKeys, setKeys] = useState(false)
  const links = pageLinks.filter(({ action }) => me.mayDo.includes(action))
  const navigate = useNavigate()
  useAlive(me)
  useKeys({
    ...Object.fromEntries(
      links.map(({ key, path, name }) => [`g ${key}`, { what: t.keys.page(name), run: () => void navigate({ to: path }) }]),
    ),
    ...(me.mayDo.includes('papers.read')
      ? { 'g r': { what: t.keys.page(t.identity.revocations), run: () => void navigate({ to: '/identity/revocations' }) } }
      : {}),
    'g m': { what: t.keys.page(t.nav.me), run: () => void navigate({ to: '/me' }) },
    '?': { what: t.keys.help, run: () => setKeys(true) },
  })
  return (
    <div className="frame">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t.common.skip}
      </a>
      <Side me={me} links={links} />
      <header className="header">
        <Crumbs links={links} />
        <Suspense fallback={<search className="search" />}>
          <Search links={links} />
        </Suspense>
        <Clock />
        <button type="button" className="icon-button" aria-label={t.nav.keys} title={t.nav.keys} onClick={() => setKeys(true)}>
          <Keyboard size={16} aria-hidden="true" />
        </button>
      </header>
      <main id="main" ref={main} className="main" tabIndex={-1}>
        {children}
      </main>
      {hasKeys && <KeysDialog onClose={() => setKeys(false)} />}
      <FreshQuestion me={me} />
    </div>
  )
}

function Clock(): ReactNode {
  const now = useNow(1_000)
  return <time className="fg2 tn">{`${new Date(now).toISOString().slice(11, 19)} UTC`}</time>
}

function Crumbs({ links }: { readonly links: readonly PageLink[] }): ReactNode {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const page = links.findLast((one) => one.path === path || (one.path !== '/' && path.startsWith(`${one.path}/`)))
  const name = page?.name ?? (path === '/me' ? t.nav.me : '')
  const customer = /^\/customers\/([0-9]+)$/.exec(path)?.[1]
  useEffect(() => {
    document.title = name === '' ? `${t.app} ${t.console}` : `${name} · ${t.app} ${t.console}`
  }, [name])
  return (
    <div className="crumbs">
      {customer === undefined ? (
        <span aria-current="page">{name}</span>
      ) : (
        <>
          <Link to="/customers">{name}</Link>
          <span className="fg3">/</span>
          <span aria-current="page" className="tn">
            {customer}
          </span>
        </>
      )}
    </div>
  )
}

function Side({ me, links }: { readonly me: Me; readonly links: readonly PageLink[] }): ReactNode {
  const { data } = useQuery(overviewQuery)
  const chosen = useShared(theme)
  const navigate = useNavigate()
  const now = useNow(30_000)
  return (
    <aside className="side" aria-label={t.nav.side}>
      <div className="logo">
        <Mark />
        <b>{t.app}</b>
        <span>{t.console}</span>
      </div>
      {data?.mode === 'sandbox' && (
        <div className="practice">
          <span>{t.sandbox}</span>
        </div>
      )}
      <nav className="nav" aria-label={t.nav.label}>
        {links.map(({ path, name, icon: Icon, count }) => {
          const waiting = count === undefined ? 0 : (data?.[count]?.waiting ?? 0)
          return (
            <Link key={path} to={path} activeOptions={{ exact: path === '/' }} title={name}>
              <Icon size={16} aria-hidden="true" />
              <span>{name}</span>
              {waiting > 0 && (
                <span className="count tn" role="img" aria-label={t.nav.waiting(waiting)}>
                  {countOf(waiting)}
                </span>
              )}
            </Link>
          )
        })}
      </nav>
      <Menu
        className="who"
        side="top"
        trigger={
          <>
            <CircleUser size={18} aria-hidden="true" />
            <span>
              <b>{me.name}</b>
              <small>{`${t.roles[me.role]} · ${shortAgeOf(me.loggedInAt + livesMs - now)}`}</small>
            </span>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </>
        }
        choice={{
          label: t.nav.theme,
          value: chosen,
          options: themes.map((value) => ({ value, label: t.nav.themes[value] })),
          onChoose: (value) => chooseTheme(value as Theme),
        }}
        items={[
          { label: t.nav.me, onChoose: () => void navigate({ to: '/me' }) },
          { label: t.nav.logOut, onChoose: () => void logOut('member') },
        ]}
      />
    </aside>
  )
}
