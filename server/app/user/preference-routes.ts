import {
  type ChartLayout,
  chartAxes,
  chartComparedMax,
  chartLayoutBytesMax,
  chartLines,
} from '@candor/core/protocol/wire/own/chart-layout.ts'
import {
  askedActions,
  chartCounts,
  chartDesks,
  deskNames,
  favouritesMax,
  homeCards,
  marketSorts,
  type PreferenceName,
  type Preferences,
  quickActions,
  terminalNamedMax,
  terminalPanes,
  textSizes,
  type WirePreference,
} from '@candor/core/protocol/wire/own/preferences.ts'
import { terminalColumns } from '@candor/core/protocol/wire/own/terminal-columns.ts'
import { z } from 'zod'
import { answers, interval, nothing, symbol } from '../../http/schema.ts'
import type { ChartLayouts } from '../../identity/account/chart-layouts.ts'
import type { AccountPreferences } from '../../identity/account/preferences.ts'
import type { Listing } from '../../live/listing.ts'
import type { App } from '../app.ts'

/** A list whose entries are all different. */
const each = <T extends z.ZodType<string>>(entry: T, max: number) =>
  z
    .array(entry)
    .max(max)
    .refine((list) => new Set(list).size === list.length)
    .readonly()

const pixels = z.int().min(40).max(2_000)
const terminalLayout = z
  .strictObject({
    places: each(z.enum(terminalPanes), terminalPanes.length)
      .refine((list) => list.length === terminalPanes.length)
      .meta({ description: 'The pane in each place; places are named after the panes that are usually there, in their order.' }),
    hidden: each(z.enum(terminalPanes), terminalPanes.length),
    isRail: z.boolean().meta({ description: 'Whether the markets are a narrow bar.' }),
    sizes: z
      .strictObject({ markets: pixels, book: pixels, trades: pixels, ticket: pixels, orders: pixels, below: pixels })
      .meta({ description: 'Pixels of each column, of the row of orders, and of the lower of two panes in a column.' }),
  })
  .meta({ id: 'TerminalLayout' })

const someOf = <const Names extends readonly string[]>(names: Names) => each(z.enum(names), names.length).exactOptional()
const hiddenColumns = z
  .strictObject({
    positions: someOf(terminalColumns.positions),
    orders: someOf(terminalColumns.orders),
    history: someOf(terminalColumns.history),
    fills: someOf(terminalColumns.fills),
    assets: someOf(terminalColumns.assets),
  })
  .meta({ id: 'HiddenColumns', description: 'The columns of the terminal’s tables that are not shown.' })

/** The shape of each setting. */
const values: { readonly [Name in PreferenceName]: z.ZodType<Preferences[Name]> } = {
  favourites: z.strictObject({ symbols: each(symbol, favouritesMax) }).meta({ id: 'Favourites' }),
  home: z
    .strictObject({ cards: each(z.enum(homeCards), homeCards.length), actions: each(z.enum(quickActions), quickActions.length) })
    .meta({ id: 'HomeLayout', description: 'What is in no list is not shown.' }),
  'market-sort': z.strictObject({ by: z.enum(marketSorts).nullable(), isRising: z.boolean() }).meta({ id: 'MarketSort' }),
  layout: z
    .strictObject({
      book: z.enum(['left', 'right']).meta({ description: 'The side of the order book beside the ticket.' }),
      charts: each(z.enum(chartDesks), chartDesks.length).meta({ description: 'The desks that show the small chart.' }),
      unasked: each(z.enum(askedActions), askedActions.length).meta({ description: 'What is done without asking.' }),
      desk: z.enum(deskNames).nullable().meta({ description: 'The desk that the trade tab opens. Null: the last one.' }),
      textSize: z.enum(textSizes),
    })
    .meta({ id: 'Layout' }),
  guide: z
    .strictObject({
      tours: each(z.enum(deskNames), deskNames.length).meta({ description: 'The desks whose tour was shown or declined.' }),
      hasChecked: z.boolean().meta({ description: 'Whether a settled order of Second was checked once.' }),
    })
    .meta({ id: 'Guide' }),
  terminal: z
    .strictObject({
      layout: terminalLayout,
      hiddenColumns: hiddenColumns.exactOptional(),
      named: z
        .array(z.strictObject({ name: z.string().trim().min(1).max(24), layout: terminalLayout }))
        .max(terminalNamedMax)
        .refine((list) => new Set(list.map(({ name }) => name)).size === list.length)
        .readonly(),
    })
    .meta({ id: 'Terminal', description: 'The panes of the trading terminal in a wide window, and layouts saved under a name.' }),
  'chart-grid': z
    .strictObject({
      count: z.literal(chartCounts).meta({ description: 'How many charts a wide window shows.' }),
      isLinked: z.boolean().meta({ description: 'Whether a crosshair shows its time on all charts.' }),
      charts: z.array(z.strictObject({ symbol, interval })).max(4).readonly(),
    })
    .meta({ id: 'ChartGrid' }),
}
const summaries: Readonly<Record<PreferenceName, string>> = {
  favourites: 'the user’s favourite markets, in their order',
  home: 'the cards and quick actions of the user’s start page, in their order',
  'market-sort': 'the column by which the user’s list of markets is sorted',
  layout: 'how the app looks and asks where the user trades',
  guide: 'what the user was shown once and is not offered again',
  terminal: 'the layouts of the user’s trading terminal in a wide window',
  'chart-grid': 'the charts that a wide window shows side by side',
}
const revision = z.int().nonnegative().max(1_000_000_000).meta({ description: 'How often the setting was set; 0: never.' })

const tags = ['me']
const config = { auth: 'session' } as const

/** Small settings that are kept with the account: one pair of routes each. */
export function preferenceRoutes(app: App, preferences: AccountPreferences, listing: Listing): void {
  pairOf(app, preferences, 'favourites', ({ symbols }) => {
    for (const one of symbols) listing.marketNamed(one, 'value')
  })
  pairOf(app, preferences, 'home')
  pairOf(app, preferences, 'market-sort')
  pairOf(app, preferences, 'layout')
  pairOf(app, preferences, 'guide')
  pairOf(app, preferences, 'terminal')
  pairOf(app, preferences, 'chart-grid', ({ charts }) => {
    for (const one of charts) listing.marketNamed(one.symbol, 'value')
  })
}

function pairOf<Name extends PreferenceName>(
  app: App,
  preferences: AccountPreferences,
  name: Name,
  check?: (value: Preferences[Name]) => void,
): void {
  const value = values[name]
  const answer = z.strictObject({ revision, value: value.exactOptional() })
  const change = z.strictObject({ revision, value })
  app.get(
    `/preferences/${name}`,
    { config, schema: { tags, summary: `Read ${summaries[name]}`, querystring: nothing, response: answers(answer) } },
    (request) => preferences.get(request.session.account, name),
  )
  app.put(
    `/preferences/${name}`,
    {
      config,
      schema: {
        tags,
        summary: `Set ${summaries[name]}, from a revision that was read before`,
        ...{ querystring: nothing, body: change, response: answers(answer) },
      },
    },
    (request): Promise<WirePreference<Name>> => {
      const asked = request.body as { readonly revision: number; readonly value: Preferences[Name] }
      check?.(asked.value)
      return preferences.set(request.session.account, name, asked)
    },
  )
}

const toolName = z.string().regex(/^[A-Za-z]{1,32}$/)
/** A place in the picture: a time in milliseconds, and a price as the chart's library has it. */
const point = z.strictObject({ timestamp: z.int().nonnegative(), value: z.number().min(-1e15).max(1e15) })
const chartLayout: z.ZodType<ChartLayout> = z
  .strictObject({
    version: z.literal(1),
    indicators: z.array(toolName).max(40).readonly(),
    parameters: z.record(toolName, z.array(z.number().min(-10_000).max(10_000)).max(20).readonly()).readonly(),
    lines: z.array(z.enum(chartLines)).max(chartLines.length).readonly(),
    axis: z.enum(chartAxes).meta({ description: 'How prices are spaced.' }),
    drawings: z
      .array(z.strictObject({ name: toolName, points: z.array(point).max(8).readonly() }))
      .max(400)
      .readonly(),
    compared: z
      .array(symbol)
      .max(chartComparedMax)
      .readonly()
      .exactOptional()
      .meta({ description: 'Symbols of the markets that the chart is compared with.' }),
  })
  .meta({ id: 'ChartLayout' })
const ofMarket = z.strictObject({ symbol })
const chartAnswer = z.strictObject({ revision, value: chartLayout.exactOptional() })

/** How the user's charts look: one layout a market. */
export function chartRoutes(app: App, layouts: ChartLayouts, listing: Listing): void {
  app.get(
    '/charts/:symbol',
    {
      config,
      schema: {
        tags,
        summary: 'Read how the user’s chart of a market looks',
        params: ofMarket,
        querystring: nothing,
        response: answers(chartAnswer),
      },
    },
    (request) => {
      listing.marketNamed(request.params.symbol)
      return layouts.get(request.session.account, request.params.symbol)
    },
  )
  app.put(
    '/charts/:symbol',
    {
      config,
      bodyLimit: chartLayoutBytesMax + 1_024,
      schema: {
        tags,
        summary: 'Set how the user’s chart of a market looks, from a revision that was read before',
        ...{
          params: ofMarket,
          querystring: nothing,
          body: z.strictObject({ revision, value: chartLayout }),
          response: answers(chartAnswer),
        },
      },
    },
    (request) => {
      listing.marketNamed(request.params.symbol)
      return layouts.set(request.session.account, request.params.symbol, request.body)
    },
  )
}
