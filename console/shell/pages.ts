/** The pages of the side bar: their path, key, the action that a role needs, and their place in the table of counts. */
import { FileClock, IdCard, LayoutDashboard, type LucideIcon, UserCog } from 'lucide-react'
import { t } from '../app/texts.ts'

export type PageLink = {
  readonly path: '/' | '/identity' | '/staff' | '/log'
  readonly name: string
  /** With `G` before it. */
  readonly key: string
  readonly action: string
  readonly icon: LucideIcon
  readonly count?: 'papers' | 'proposals'
}

export const pageLinks: readonly PageLink[] = [
  { path: '/', name: t.nav.overview, key: 'o', action: 'overview.read', icon: LayoutDashboard },
  { path: '/identity', name: t.nav.identity, key: 'i', action: 'papers.read', icon: IdCard, count: 'papers' },
  { path: '/staff', name: t.nav.staff, key: 's', action: 'staff.read', icon: UserCog, count: 'proposals' },
  { path: '/log', name: t.nav.log, key: 'a', action: 'log.read', icon: FileClock },
]
