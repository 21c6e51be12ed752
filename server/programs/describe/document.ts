import { z } from 'zod'
import type { Param, ParamShape } from '../params.ts'
import type { Route } from '../route.ts'
import { descriptions } from './all.ts'
import { codesOf, codeTexts } from './codes.ts'
import { type Description, groups, registry } from './describe.ts'
import { paramTexts } from './words.ts'

type Json = Readonly<Record<string, unknown>>

const about = `The API for programs, with the paths, parameters, signatures and codes that exchange clients know.

Amounts are decimal text, times are milliseconds, lists are oldest first. \`POST\`, \`PUT\` and \`DELETE\` take their parameters in the
query, in a body of \`application/x-www-form-urlencoded\`, or in both. A signed route needs the key, \`timestamp\` and \`signature\`:
HMAC-SHA256 in hexadecimal digits, or Ed25519 or RSA in base64 over the query followed by the body, both without \`signature\`. Each answer
has the weight used in the header \`X-MBX-USED-WEIGHT-1M\`. Any answer but HTTP 200 has a body \`{"code", "msg"}\`.`

const refusal = {
  type: 'object',
  required: ['code', 'msg'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' } },
} as const

/** The programs' API as OpenAPI 3.1, from its routes and their `descriptions`. */
export function apiDocument(routes: readonly Route[], version: string, methodNames: ReadonlyMap<string, string> = new Map()): Json {
  const schemas: Record<string, unknown> = { Refusal: refusal }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const description = descriptions[name]
    if (!description) continue
    paths[route.path] ??= {}
    const path = paths[route.path] as Record<string, unknown>
    path[route.method.toLowerCase()] = operationOf(route, description, schemas, methodNames.get(name))
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Candor API of programs', version, description: about },
    tags: Object.entries(groups).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-MBX-APIKEY' },
        signature: {
          type: 'apiKey',
          in: 'query',
          name: 'signature',
          description: 'Over the query followed by the body, both as they are sent and without this parameter.',
        },
      },
    },
    'x-codes': codeTexts,
  }
}

function operationOf(route: Route, description: Description, schemas: Record<string, unknown>, methodName: string | undefined): Json {
  const { method, scope, isSigned } = route
  const { group, name, summary, detail, codes = [], weight, oneWith, clientId, ccxt, example, isRepeatable } = description
  const isWrite = method !== 'GET'
  const kind = {
    hasKey: scope !== undefined,
    isSigned,
    isWrite,
    hasSymbol: 'symbol' in route.params,
    isStrict: route.path.startsWith('/api/'),
  }
  const own = codesOf({ ...kind, own: codes })
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary,
    ...(detail === undefined ? {} : { description: detail }),
    parameters: parametersOf(route, description),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: answerOf(description, schemas) } } },
      default: {
        description: `Refused: ${own.join(', ')}.`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
    ...(scope === undefined ? {} : { security: [isSigned ? { key: [], signature: [] } : { key: [] }] }),
    'x-weight': weight ?? weightOf(route),
    'x-codes': own,
    ...(scope === undefined ? {} : { 'x-scope': scope }),
    ...(oneWith === undefined ? {} : { 'x-one-with': oneWith }),
    ...(clientId === undefined ? {} : { 'x-client-id': clientId }),
    ...(isRepeatable ? { 'x-repeatable': true } : {}),
    ...(methodName === undefined ? {} : { 'x-socket-method': methodName }),
    ...(ccxt === undefined ? {} : { 'x-ccxt': ccxt }),
    ...(example === undefined ? {} : { 'x-example': example }),
  }
}

/** The weight if it is the same for every request, otherwise undefined. */
export function weightOf({ weight }: Route): number | undefined {
  return weight.length === 0 ? weight({}) : undefined
}

export function textOfParam({ params: own = {} }: Description, name: string): string | undefined {
  return own[name] ?? paramTexts[name]
}

function parametersOf({ params, isSigned }: Route, description: Description): readonly Json[] {
  const listed: Json[] = Object.entries(params).map(([name, param]) => ({
    name,
    in: 'query',
    required: param.isMandatory,
    description: textOfParam(description, name),
    schema: schemaOf(param),
  }))
  if (!isSigned) return listed
  const extra = [
    ['timestamp', true, { type: 'integer', minimum: 0 }],
    ['recvWindow', false, { type: 'number', minimum: 0, maximum: 60_000, default: 5_000 }],
  ] as const
  for (const [name, required, schema] of extra) {
    if (!(name in params)) listed.push({ name, in: 'query', required, description: paramTexts[name], schema })
  }
  return listed
}

/** A list is sent as JSON text; its items are described nevertheless. */
function schemaOf({ shape, fallback }: Param<unknown>): Json {
  if (shape === undefined) return { type: 'string' }
  const { type, items, ...bounds } = shape as ParamShape
  const normal = fallback === undefined ? {} : { default: fallback }
  if (type === 'array') return { type: 'string', contentMediaType: 'application/json', contentSchema: { type: 'array', items } }
  return { type, ...bounds, ...normal }
}

function answerOf({ answer, oneWith }: Description, schemas: Record<string, unknown>): Json {
  const { $schema: _, $defs = {}, ...schema } = printed(answer)
  for (const [id, one] of Object.entries($defs as Record<string, Json>)) schemas[id] = moved(withoutId(one))
  const one = moved(withoutId(schema)) as Json
  return oneWith === undefined ? one : { anyOf: [one, { type: 'array', items: one }] }
}

function printed(schema: z.ZodType): Json {
  // Wrapped in a field, so that a schema with a name of its own becomes a reference as well.
  const { properties, $defs } = z.toJSONSchema(z.object({ answer: schema }), { metadata: registry, unrepresentable: 'any' }) as unknown as {
    readonly properties: { readonly answer: Json }
    readonly $defs?: Json
  }
  return { ...properties.answer, ...($defs === undefined ? {} : { $defs }) }
}

const withoutId = ({ id: _, ...schema }: Json): Json => schema

/** The schema with references to the place where OpenAPI keeps schemas, and without bounds that every integer has. */
function moved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moved)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== Number.MAX_SAFE_INTEGER && one !== Number.MIN_SAFE_INTEGER)
  return Object.fromEntries(
    entries.map(([name, one]) => (name === '$ref' ? [name, String(one).replace('#/$defs/', '#/components/schemas/')] : [name, moved(one)])),
  )
}
