import {
  askedActions,
  chartDesks,
  deskNames,
  favouritesMax,
  homeCards,
  marketSorts,
  type PreferenceName,
  type Preferences,
  quickActions,
  textSizes,
  type WirePreference,
} from '@candor/core/protocol/wire/own/preferences.ts'
import { z } from 'zod'
import { answers, nothing, symbol } from '../../http/schema.ts'
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
}
const summaries: Readonly<Record<PreferenceName, string>> = {
  favourites: 'the user’s favourite markets, in their order',
  home: 'the cards and quick actions of the user’s start page, in their order',
  'market-sort': 'the column by which the user’s list of markets is sorted',
  layout: 'how the app looks and asks where the user trades',
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
