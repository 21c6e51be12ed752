/** Settings of this device. They are kept in local storage; the script before the first paint reads the same record. */
import type { PreferenceName, Preferences } from '@candor/core/protocol/wire/own/preferences.ts'
import { create } from 'zustand'
import { type OldLayout, layoutOf } from './preferences/layout.ts'

/** The last known value of each, and whose it is: null for a visitor's. */
export type KeptPreferences = {
  readonly [Name in PreferenceName]?: { readonly owner: string | null; readonly value: Preferences[Name] }
}

export type Settings = {
  /** Absent: follows the system. */
  readonly theme?: 'dark' | 'light'
  /** Colour of rising prices. Absent: nothing was chosen; see `appearance.ts`. */
  readonly updown?: 'green' | 'red' | 'cb'
  readonly chinese: 'hant' | 'hans'
  readonly hideBalances: boolean
  readonly hideBalancesAtStart: boolean
  readonly haptics: boolean
  readonly reduceMotion: boolean
  /** Updates the book once per second instead of ten times. */
  readonly dataSaver: boolean
  /** USDT, BTC or a currency by its three letters. */
  readonly totalIn: string
  readonly timeZone: 'local' | 'utc'
  /** Preferences that the account keeps too: see `preferences/`. */
  readonly kept: KeptPreferences
  /** The last market of the spot and margin desks. */
  readonly lastSymbol: string
  /** The last market of the perp desk. */
  readonly lastPerp: string
  /** Where the trade tab leads; `/deal` until a desk was opened. */
  readonly lastDesk: string
  readonly isOnboarded: boolean
}

const initial: Settings = {
  chinese: 'hant',
  hideBalances: false,
  hideBalancesAtStart: false,
  haptics: true,
  reduceMotion: false,
  dataSaver: false,
  totalIn: 'USDT',
  timeZone: 'local',
  kept: {},
  lastSymbol: 'BTCUSDT',
  lastPerp: 'BTCUSDTPERP',
  lastDesk: '/deal',
  isOnboarded: false,
}

export const useSettings = create<Settings>(() => {
  const kept = keptSettings()
  return kept.hideBalancesAtStart ? { ...kept, hideBalances: true } : kept
})

/** The last market of the desk that was used last. */
export function lastMarket({ lastDesk, lastPerp, lastSymbol }: Settings): string {
  return lastDesk === '/contract' ? lastPerp : lastSymbol
}

/** Changes some settings, on the page and on this device. `undefined` removes a choice. */
export function set(change: { readonly [Key in keyof Settings]?: Settings[Key] | undefined }): void {
  useSettings.setState(change as Partial<Settings>)
  try {
    localStorage.setItem('settings', JSON.stringify(useSettings.getState()))
  } catch {}
}

/** What this device keeps, also when another page of the app stored it. */
export function keptSettings(): Settings {
  return { ...initial, ...read() }
}

function read(): Partial<Settings> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem('settings') ?? '{}')
    return typeof kept === 'object' && kept !== null ? renamed(kept) : {}
  } catch {
    return {}
  }
}

type Old = OldLayout & { readonly lastContract?: string; readonly favourites?: readonly string[] }

/** Renames old settings: `lastPerp` was stored as `lastContract` before, and what is in `kept` now had fields of its own. */
function renamed(old: Partial<Settings> & Old): Partial<Settings> {
  const { lastContract, favourites = [], textSize, confirmLimit, confirmMarket, confirmCancelAll, kept, ...rest } = old
  const layout = layoutOf({ textSize, confirmLimit, confirmMarket, confirmCancelAll })
  return {
    ...(lastContract === undefined ? {} : { lastPerp: lastContract }),
    ...rest,
    kept: {
      ...(favourites.length === 0 ? {} : { favourites: { owner: null, value: { symbols: favourites } } }),
      ...(layout === undefined ? {} : { layout: { owner: null, value: layout } }),
      ...kept,
    },
  }
}
