/** What the palette lists: markets, commands that can be carried out now, saved layouts, and pages. */
import type { WireConfig, WireMarket } from '@candor/core/protocol/wire/market.ts'
import { navigate } from '../../app/location.ts'
import type { Translate } from '../../app/translate.ts'
import { deskOf } from '../market/desk-of.ts'
import { actionOf } from './commands.ts'
import { found, type Findable } from './find.ts'
import { pages } from './pages.ts'
import { handlerOf } from './registry.ts'
import { intervalOf, type Shortcut, shortcuts } from './table.ts'

export const groups = ['markets', 'commands', 'layouts', 'pages'] as const
export type Group = (typeof groups)[number]

export type Entry = Findable & {
  readonly id: string
  readonly group: Group
  readonly shortcut?: Shortcut
  readonly market?: WireMarket
  readonly run: () => void
}

/** Most markets in the list: more are found by typing. */
const marketsMax = 8

/** All entries in the language of `t`. They are made when the palette opens, because the commands depend on what is on the screen. */
export function entriesOf(config: WireConfig | undefined, onHelp: () => void, t: Translate): readonly Entry[] {
  return [...marketsOf(config, t), ...commandsOf(onHelp, t), ...layoutsOf(), ...pagesOf(t)]
}

function marketsOf(config: WireConfig | undefined, t: Translate): readonly Entry[] {
  const names = new Map((config?.assets ?? []).map(({ symbol, name }) => [symbol, name]))
  const opener = handlerOf('marketOpener')
  return (config?.markets ?? []).map((market) => {
    const { symbol, base, quote, kind } = market
    return {
      ...{ id: `market ${symbol}`, group: 'markets', market },
      label: kind === 'perp' ? `${base}/${quote} ${t('trade.perp')}` : `${base}/${quote}`,
      also: [symbol, names.get(base) ?? ''],
      run: opener?.(symbol) ?? (() => navigate(deskOf(market))),
    }
  })
}

function commandsOf(onHelp: () => void, t: Translate): readonly Entry[] {
  return shortcuts.flatMap((shortcut) => {
    const { command, text } = shortcut
    // Without its key held, *cancel all* would not be asked about.
    if (command === 'palette' || command === 'leave' || command === 'cancel-all' || command === 'send') return []
    const run = command === 'help' ? onHelp : actionOf(command)
    if (run === undefined) return []
    const interval = intervalOf(command)
    const label = interval === undefined ? t(text) : t('shortcuts.intervalOf', { interval })
    return [{ id: `command ${command}`, group: 'commands', label, also: [], shortcut, run }]
  })
}

function layoutsOf(): readonly Entry[] {
  const layouts = handlerOf('layouts')
  return (layouts?.names ?? []).map((name) => ({
    ...{ id: `layout ${name}`, group: 'layouts', label: name, also: [] },
    run: () => layouts?.open(name),
  }))
}

function pagesOf(t: Translate): readonly Entry[] {
  return pages.map(([path, name]) => ({ id: `page ${path}`, group: 'pages', label: t(name), also: [], run: () => navigate(path) }))
}

/** The entries that a text finds, by group. Without a text, the favourite markets come first and the list is short. */
export function shownOf(
  entries: readonly Entry[],
  text: string,
  favourites: readonly string[],
): readonly (readonly [Group, readonly Entry[]])[] {
  const isFavourite = ({ market }: Entry): boolean => market !== undefined && favourites.includes(market.symbol)
  const all = found(entries, text)
  return groups.flatMap((group) => {
    const own = all.filter((entry) => entry.group === group)
    const shown = group === 'markets' ? [...own.filter(isFavourite), ...own.filter((one) => !isFavourite(one))].slice(0, marketsMax) : own
    return shown.length === 0 ? [] : [[group, shown] as const]
  })
}
