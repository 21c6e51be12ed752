import { z } from 'zod'

/** A schema's name in the published document, and its description. */
type Said = { readonly id?: string; readonly description?: string }

/** Names of this API's schemas, apart from those of the app's API. */
export const registry = z.registry<Said>()

export function named<T extends z.ZodType>(id: string, schema: T, description?: string): T {
  registry.add(schema, description === undefined ? { id } : { id, description })
  return schema
}

/** The schema with a description of its own. */
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
  convert: 'Conversions',
  subAccounts: 'Sub-accounts of firms',
  margin: 'Margin',
  futuresMarket: 'Market data of Futures',
  futures: 'Futures: orders',
  futuresAccount: 'Futures: account and positions',
  userData: 'Keys of user data streams',
} as const
export type Group = keyof typeof groups

/** The published description of one route; its parameters, weight and key are in the route itself. */
export type Description = {
  readonly group: Group
  /** Name of the client's function, unique in its group. */
  readonly name: string
  readonly summary: string
  readonly detail?: string
  /** Schema of the answer with HTTP 200. */
  readonly answer: z.ZodType
  /** With this parameter the answer is one object, without it a list of them. `answer` describes the one. */
  readonly oneWith?: string
  /** The meaning of parameters on this route, where it differs from `paramTexts`. */
  readonly params?: Readonly<Record<string, string>>
  /** Explains a weight that depends on the parameters. */
  readonly weight?: string
  /** Codes besides those that every route of its kind has. */
  readonly codes?: readonly number[]
  /** The parameter that makes a repeat safe: the exchange answers with the first outcome. */
  readonly clientId?: string
  /** True for a write that has the same effect once or twice. */
  readonly isRepeatable?: boolean
  /** Method of ccxt that uses this route, if there is one. */
  readonly ccxt?: string
  /** Values with which the try-it form begins. */
  readonly example?: Readonly<Record<string, string>>
}

/** Descriptions by `METHOD path`. */
export type Descriptions = Readonly<Record<string, Description>>
