import { z } from 'zod'

/** What a schema is called in the published document, and what is said of it. */
type Said = { readonly id?: string; readonly description?: string }

/** Names of this API's schemas, apart from those of the app's. */
export const registry = z.registry<Said>()

export function named<T extends z.ZodType>(id: string, schema: T, description?: string): T {
  registry.add(schema, description === undefined ? { id } : { id, description })
  return schema
}

/** The same schema with a sentence of its own. */
export function said<T extends z.ZodType>(schema: T, description: string): T {
  const own = schema.clone() as T
  registry.add(own, { description })
  return own
}

export const decimal = named('Decimal', z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/), 'A number as decimal text: it keeps every digit.')
export const millis = named('Millis', z.int(), 'Milliseconds since 1970, UTC.')
export const id = z.int()
export const count = z.int().min(0)
export const text = z.string()
export const flag = z.boolean()
export const list = <T extends z.ZodType>(schema: T) => z.array(schema)
export const words = <const W extends readonly [string, ...string[]]>(...each: W) => z.enum(each)
export const object = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape)
export const empty = named('Nothing', object({}), 'An object without fields.')

/** The groups of the documents and the modules of the client. */
export const groups = {
  market: 'Market data of spot',
  spot: 'Spot trading',
  account: 'Spot account and keys',
  wallet: 'Wallet and transfers',
  margin: 'Margin',
  futuresMarket: 'Market data of Futures',
  futures: 'Futures: orders',
  futuresAccount: 'Futures: account and positions',
  userData: 'Keys of user data streams',
} as const
export type Group = keyof typeof groups

/** One route as programs read of it; its parameters, weight and key stand in the route itself. */
export type Description = {
  readonly group: Group
  /** Of the client's function: unique in its group. */
  readonly name: string
  readonly summary: string
  readonly detail?: string
  /** Of HTTP 200. */
  readonly answer: z.ZodType
  /** `answer` is of one; without this parameter it is a list of them. */
  readonly oneWith?: string
  /** What a parameter means here, where `paramTexts` would not say it. */
  readonly params?: Readonly<Record<string, string>>
  /** Where the weight depends on the parameters. */
  readonly weight?: string
  /** Codes beside those that every route of its kind has. */
  readonly codes?: readonly number[]
  /** The parameter that makes a second attempt safe: the exchange answers with the first outcome. */
  readonly clientId?: string
  /** A write that has the same effect once or twice. */
  readonly isRepeatable?: boolean
  /** Call of ccxt that asks for it, where there is one. */
  readonly ccxt?: string
  /** Values that try-it begins with. */
  readonly example?: Readonly<Record<string, string>>
}

/** By `METHOD path`. */
export type Descriptions = Readonly<Record<string, Description>>
