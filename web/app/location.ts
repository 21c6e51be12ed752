/**
 * The app's location: `#/path?query`. The query is part of the hash, so that shared invitation and chart links keep it. Paths are
 * compared exactly. A link is a plain `<a href="#/market">`.
 */
import { createContext, useContext, useSyncExternalStore } from 'react'

export type Place = { readonly path: string; readonly query: URLSearchParams }

type Entry = { readonly key: string; readonly depth: number }

const listeners = new Set<() => void>()
const scrolls = new Map<string, number>()
let entry: Entry = { key: 'start', depth: 0 }
let current = ''

/** Starts to follow the address. Called once, before the first render. */
export function followLocation(): void {
  history.scrollRestoration = 'manual'
  adopt()
  addEventListener('popstate', moved)
  addEventListener('hashchange', moved)
}

/** The hash of the address. Renders again when it changes. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => current)
}

/**
 * The hash that the shown screen belongs to. It follows the address after the frame that answers the tap: the next screen is rendered
 * in pieces meanwhile, and the old one must not take the new address for its own.
 */
export const ShownHash = createContext('#/')

/** The place of the shown screen. Renders again when it changes. */
export function usePlace(): Place {
  return placeOf(useContext(ShownHash))
}

export function placeOf(hash: string): Place {
  const text = hash.replace(/^#?\/?/, '/')
  const at = text.indexOf('?')
  return { path: at < 0 ? text : text.slice(0, at), query: new URLSearchParams(at < 0 ? '' : text.slice(at + 1)) }
}

/** Goes to a path of the app, e.g. `/login?next=/spot`. */
export function navigate(to: string, options: { readonly replace?: boolean } = {}): void {
  keepScroll()
  const isReplace = options.replace === true
  entry = { key: isReplace ? entry.key : newKey(), depth: isReplace ? entry.depth : entry.depth + 1 }
  if (isReplace) history.replaceState(entry, '', `#${to}`)
  else history.pushState(entry, '', `#${to}`)
  current = location.hash
  tell()
}

/** Goes one step back inside the app, or to `fallback` if the app was opened here. */
export function back(fallback = '/'): void {
  if (entry.depth > 0) history.back()
  else navigate(fallback, { replace: true })
}

/** The path to return to after a login. Only paths of the app itself are accepted. */
export function nextOf(query: URLSearchParams): string {
  const next = query.get('next') ?? ''
  return /^\/[A-Za-z]*(\?[\w=&%.+-]*)?$/.test(next) && !next.startsWith('/login') && !next.startsWith('/register') ? next : '/'
}

/** The scroll position at which the current history entry was left. */
export function keptScroll(): number {
  return scrolls.get(entry.key) ?? 0
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function moved(): void {
  if (location.hash === current && isEntry(history.state) && history.state.key === entry.key) return
  keepScroll()
  adopt()
  tell()
}

function adopt(): void {
  if (isEntry(history.state)) entry = history.state
  else {
    entry = { key: newKey(), depth: current === '' && entry.key === 'start' ? 0 : entry.depth + 1 }
    history.replaceState(entry, '')
  }
  current = location.hash === '' ? '#/' : location.hash
}

function keepScroll(): void {
  scrolls.set(entry.key, scrollY)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function newKey(): string {
  return Math.random().toString(36).slice(2, 10)
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'key' in state && 'depth' in state
}
