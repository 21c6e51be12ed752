/**
 * Prints the routes and shapes in `docs/app-api.md` from the schemas that the routes declare, so that the page always matches what
 * the exchange checks.
 */
import type { Schema, Schemas } from '@candor/client/docs/schema.ts'
import { listedAppApi } from '@candor/server/app/system/listed.ts'
import * as types from '@candor/server/http/schema.ts'
import { text } from './files.ts'
import { staleFaults, withPart } from './printed.ts'
import { namesIn, rowOf, rowsOf, type Types, typeOf } from './schema-text.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Operation = {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly security?: readonly unknown[]
}
/** The parts of an OpenAPI document that the page needs. */
export type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Schemas }
}

export const page = 'docs/app-api.md'

export async function appApiFaults(): Promise<readonly string[]> {
  return staleFaults(page, await printed())
}

/** The page as it should be. */
export async function printed(): Promise<string> {
  const document = oneNameEach((await listedAppApi()) as unknown as Document)
  return withPart(text(page), 'routes', partOf(document, sharedTypes()))
}

/** throws  Error when a route has a tag without a group, and would be missing on the page */
export function partOf({ tags, paths, components: { schemas } }: Document, shared: Types): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const known = new Set(tags.map(({ name }) => name))
  const lost = operations.filter(({ operation }) => !operation.tags.some((tag) => known.has(tag)))
  if (lost.length > 0) throw new Error(`routes of no group: ${lost.map(({ name }) => name).join(', ')}`)
  const groups = tags.flatMap(({ name: tag, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag))
    return own.length === 0 ? [] : [`## ${description}`, ...own.map(({ name, operation }) => routeText(name, operation, shared))]
  })
  const used = shapesOf(
    operations.map(({ operation }) => operation),
    schemas,
  )
  return [
    '## Types',
    [...tableHead('type', 'what'), ...[...shared].map(([name, what]) => `| ${name} | ${what} |`)].join('\n'),
    ...groups,
    '## Shapes',
    'A field with `?` may be absent.',
    ...used.map((name) => shapeText(name, schemas[name] as Schema, shared)),
  ].join('\n\n')
}

function routeText(
  name: string,
  { summary, description, parameters = [], requestBody, responses, security = [] }: Operation,
  shared: Types,
): string {
  const placed = [...parameters].sort((a, b) => Number(a.in !== 'path') - Number(b.in !== 'path'))
  const asked = placed.map(({ name: field, in: place, required = false, description: what, schema }) =>
    rowOf({ name: field, isNeeded: required, place, schema: what === undefined ? schema : { ...schema, description: what } }, shared),
  )
  const body = bodyOf(requestBody)
  const isNamed = body?.$ref !== undefined
  const rows = [...asked, ...(body === undefined || isNamed ? [] : rowsOf(body, shared, 'body'))]
  const [status, answer] = successOf(responses)
  const said = [`${summary}.`, ...(description === undefined ? [] : [description]), ...(security.length > 0 ? ['Needs a session.'] : [])]
  const last = [
    ...(isNamed ? [`Body: ${typeOf(body)}`] : []),
    `Answer: ${status}${answer === undefined ? ', no body' : ` ${typeOf(answer)}`}`,
  ]
  return [
    `### ${name}`,
    said.join(' '),
    ...(rows.length === 0 ? [] : [[...tableHead('field', 'type', ''), ...rows].join('\n')]),
    last.join(' · '),
  ].join('\n\n')
}

function shapeText(name: string, schema: Schema, shared: Types): string {
  const rows = rowsOf(schema, shared)
  return [
    `### ${name}`,
    ...(schema.description === undefined ? [] : [schema.description]),
    rows.length === 0 ? typeOf(schema) : [...tableHead('field', 'type', ''), ...rows].join('\n'),
  ].join('\n\n')
}

const tableHead = (...names: readonly string[]): readonly string[] => [`| ${names.join(' | ')} |`, `|${names.map(() => '---|').join('')}`]

const bodyOf = ({ content }: Content = {}): Schema | undefined => content?.['application/json']?.schema

function successOf(responses: Operation['responses']): readonly [string, Schema | undefined] {
  const [status, answer] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? ['', {}]
  return [status, status === '204' ? undefined : bodyOf(answer)]
}

/** Names of the shapes used by routes, and of those inside them, sorted. */
function shapesOf(operations: readonly Operation[], schemas: Schemas): readonly string[] {
  const found = new Set<string>()
  const add = (schema: unknown): void => {
    for (const name of namesIn(schema)) {
      if (found.has(name)) continue
      found.add(name)
      add(schemas[name])
    }
  }
  for (const { requestBody, responses, parameters } of operations) add([requestBody, successOf(responses)[1], parameters])
  return [...found].sort()
}

/** A shape that is the same in requests and answers has two names in the document; replaces `XInput` by `X`. */
function oneNameEach(document: Document): Document {
  const { schemas } = document.components
  const plain = (value: unknown): string => JSON.stringify(value).replace(/(#\/components\/schemas\/\w+)Input"/g, '$1"')
  const isSame = (name: string): boolean => `${name}Input` in schemas && plain(schemas[name]) === plain(schemas[`${name}Input`])
  const doubled = new Set(Object.keys(schemas).filter(isSame))
  const named = JSON.stringify(document).replace(/#\/components\/schemas\/(\w+)Input"/g, (whole, name: string) =>
    doubled.has(name) ? `#/components/schemas/${name}"` : whole,
  )
  return JSON.parse(named) as Document
}

/** Types shared by routes, by their names on the page. */
function sharedTypes(): Types {
  const found = new Map<string, string>()
  for (const type of Object.values(types)) {
    if (typeof type !== 'object' || !('meta' in type)) continue
    const { title, description } = type.meta() ?? {}
    if (title !== undefined) found.set(title, description ?? '')
  }
  return found
}
