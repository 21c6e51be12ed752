/** Every path of the app and the folder of its screen. A screen is `screens/<folder>/screen.tsx` and exports `Screen`. */
import type { ComponentType } from 'react'
import { type LaterArea, loadArea } from './texts.ts'

export const routes = {
  '/': 'home',
  '/login': 'login',
  '/register': 'register',
  '/password': 'password',
  '/market': 'market',
  '/spot': 'spot',
  '/contract': 'contract',
  '/lever': 'lever',
  '/Second': 'second',
  '/contractkline': 'contractkline',
  '/entrust': 'entrust',
  '/optionentrust': 'option-entrust',
  '/property': 'property',
  '/transfer': 'transfer',
  '/lend': 'lend',
  '/propertyRecord': 'property-record',
  '/me': 'me',
  '/apikeys': 'apikeys',
  '/webhooks': 'webhooks',
  '/setting': 'setting',
  '/lang': 'lang',
  '/about': 'about',
} as const

export type Path = keyof typeof routes

/** Texts that a screen needs and others don't. */
const areas: { readonly [Name in Path]?: readonly LaterArea[] } = {
  '/login': ['auth'],
  '/register': ['auth'],
  '/password': ['auth', 'me'],
  '/spot': ['orders'],
  '/contract': ['perp', 'orders'],
  '/lever': ['margin', 'orders'],
  '/transfer': ['margin'],
  '/lend': ['margin'],
  '/entrust': ['perp', 'orders'],
  '/contractkline': ['chart', 'perp', 'orders'],
  '/me': ['me'],
  '/apikeys': ['apikeys', 'webhooks'],
  '/webhooks': ['webhooks'],
  '/Second': ['option', 'orders'],
  '/optionentrust': ['option', 'orders'],
  '/propertyRecord': ['records', 'orders', 'margin'],
}

/** The trade container opens with contracts. */
export const redirects: Readonly<Record<string, Path>> = { '/deal': '/contract' }

export const withTabBar: readonly string[] = ['/', '/deal', '/contract', '/lever', '/Second', '/spot', '/property', '/me', '/market']

export type ScreenModule = { readonly Screen: ComponentType }

const modules = import.meta.glob<ScreenModule>('../screens/*/screen.tsx')

/** Starts to load a screen and its texts: on the touch that will open it, or while nothing else happens. */
export async function load(path: string): Promise<ScreenModule> {
  const isKnown = Object.hasOwn(routes, path)
  const folder = isKnown ? routes[path as Path] : 'not-found'
  const needed = isKnown ? (areas[path as Path] ?? []) : []
  const [screen] = await Promise.all([
    (modules[`../screens/${folder}/screen.tsx`] ?? modules['../screens/not-found/screen.tsx'])(),
    ...needed.map(loadArea),
  ])
  return screen
}

export function prefetch(path: string): void {
  load(redirects[path] ?? path).catch(() => undefined)
}
