/** JSON Schema as rows of a table in Markdown. */
import type { Schema as DocumentSchema } from '@candor/client/docs/schema.ts'

type Schema = DocumentSchema & {
  readonly title?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Types with a name of their own on the page, and their descriptions. */
export type Types = ReadonlyMap<string, string>

type Field = { readonly name: string; readonly isNeeded: boolean; readonly place: string; readonly schema: Schema }

/** The type in a few words, such as decimal, `buy` | `sell`, or list of [Order]. Named shapes are links. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](#${nameOf(schema.$ref).toLowerCase()})`
  if (schema.title !== undefined) return schema.title
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map(typeOf))].join(' \\| ')
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' \\| ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
  if (schema.type === 'array') return `list of ${typeOf(schema.items || {})}`
  if (schema.type === 'object') return objectText(schema)
  if (schema.type === 'null') return '`null`'
  return schema.type === 'string' ? 'text' : (schema.type ?? 'anything')
}

/** Objects with more fields than this get a row for each; others are written in one line. */
const inlineMax = 3

/** A row for each field of an object; fields of nested objects have dotted names. */
export function rowsOf(schema: Schema, types: Types, place = '', before = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const row = { name: `${before}${name}`, isNeeded: schema.required?.includes(name) === true, place, schema: field }
    const inner = objectIn(field)
    return [
      rowOf(row, types),
      ...(inner === undefined ? [] : rowsOf(inner, types, place, `${row.name}${field.type === 'array' ? '[]' : ''}.`)),
    ]
  })
}

/** An object, or the object in a list, if it has too many fields for one line. */
function objectIn(schema: Schema): Schema | undefined {
  const object = schema.type === 'array' && schema.items ? schema.items : schema
  return Object.keys(object.properties ?? {}).length > inlineMax ? object : undefined
}

export function rowOf({ name, isNeeded, place, schema }: Field, types: Types): string {
  const words = [place, ownWords(schema, types), ...limitsOf(schema)].filter((word) => word !== '')
  return `| \`${name}${isNeeded ? '' : '?'}\` | ${objectIn(schema) === undefined ? typeOf(schema) : schema.type === 'array' ? 'list of objects' : 'object'} | ${words.join('; ')} |`
}

/** Names of the shapes that a schema refers to. */
export function namesIn(schema: unknown): readonly string[] {
  return [...(JSON.stringify(schema) ?? '').matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1] as string)
}

/** The schema's description, unless it only repeats the name of its type. */
function ownWords({ $ref, title, description = '' }: Schema, types: Types): string {
  if ($ref !== undefined || (title !== undefined && (types.get(title) === description || description.includes(title)))) return ''
  return description.replaceAll('|', '\\|').replace(/\.$/, '')
}

/** Bounds that the type does not imply. */
function limitsOf({
  $ref,
  title,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  pattern,
  description,
}: Schema): readonly string[] {
  if ($ref !== undefined || title !== undefined) return []
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  return [
    range(least, most, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    pattern === undefined || description !== undefined ? '' : `\`${pattern.replaceAll('|', '\\|')}\``,
  ]
}

function range(least: number | undefined, most: number | undefined, what: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${what}`
  if (most !== undefined) return `at most ${most}${what}`
  return least === undefined ? '' : `at least ${least}${what}`
}

function objectText({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`)
  if (fields.length > 0) return `{ ${fields.join(', ')} }`
  return typeof additionalProperties === 'object' ? `map of ${typeOf(additionalProperties)}` : '{}'
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''
const literal = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
