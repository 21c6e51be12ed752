/** Every path of the app and the folder of its screen. A screen is `screens/<folder>/screen.tsx` and exports `Screen`. */
import type { ComponentType } from 'react'

export const routes = {
  '/': 'home',
  '/login': 'login',
  '/register': 'register',
  '/password': 'password',
  '/market': 'market',
  '/spot': 'spot',
  '/contractkline': 'contractkline',
  '/entrust': 'entrust',
  '/property': 'property',
  '/propertyRecord': 'property-record',
  '/me': 'me',
  '/setting': 'setting',
  '/lang': 'lang',
  '/about': 'about',
} as const

export type Path = keyof typeof routes

/** The trade container shows the desk that exists. */
export const redirects: Readonly<Record<string, Path>> = { '/deal': '/spot' }

export const withTabBar: readonly string[] = ['/', '/deal', '/contract', '/lever', '/Second', '/spot', '/property', '/me', '/market']

export type ScreenModule = { readonly Screen: ComponentType }

const modules = import.meta.glob<ScreenModule>('../screens/*/screen.tsx')

/** Starts to load a screen: on the touch that will open it, or while nothing else happens. */
export function load(path: string): Promise<ScreenModule> {
  const folder = Object.hasOwn(routes, path) ? routes[path as Path] : 'not-found'
  return (modules[`../screens/${folder}/screen.tsx`] ?? modules['../screens/not-found/screen.tsx'])()
}

export function prefetch(path: string): void {
  load(redirects[path] ?? path).catch(() => undefined)
}
