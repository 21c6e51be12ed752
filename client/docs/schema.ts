import { el } from './dom.ts'

/** JSON Schema in the form that both documents use. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema | false
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
  readonly not?: unknown
  readonly contentSchema?: Schema
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
}

export type Schemas = Readonly<Record<string, Schema>>

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ''

/** A schema in one line. */
export function shortType(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return [...new Set(either.map(shortType))].join(' or ')
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.contentSchema !== undefined) return `${shortType(schema.contentSchema)} as JSON text`
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(shortType).join(', ')}]`
  if (schema.type === 'array') return `list of ${shortType(schema.items || {})}`
  return schema.type ?? 'anything'
}

/** Bounds, pattern and default in words. */
export function boundsOf({ minimum, maximum, pattern, default: normal }: Schema): string {
  const parts: string[] = []
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) parts.push(`${minimum} to ${maximum}`)
  else if (minimum !== undefined && minimum > 0) parts.push(`at least ${minimum}`)
  else if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) parts.push(`at most ${maximum}`)
  if (pattern !== undefined && pattern.length < 60) parts.push(pattern)
  if (normal !== undefined) parts.push(`default ${String(normal)}`)
  return parts.join(' · ')
}

/** The fields of a schema; those of named schemas unfold at a press. */
export function schemaTree(schema: Schema, schemas: Schemas, depth = 0): HTMLElement {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    const target = schemas[name]
    if (target === undefined || target.type === 'string' || target.type === 'integer') {
      return el('p', { class: 'type' }, name, target?.description === undefined ? undefined : ` · ${target.description}`)
    }
    if (depth === 0) return el('div', {}, el('p', { class: 'type' }, name), schemaTree(target, schemas, 1))
    const details = el('details', {}, el('summary', {}, name))
    details.addEventListener('toggle', () => details.children.length === 1 && details.append(schemaTree(target, schemas, depth + 1)))
    return details
  }
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) {
    const list = el('ul', { class: 'either' })
    for (const one of either) list.append(el('li', {}, schemaTree(one, schemas, depth + 1)))
    return el('div', {}, el('p', { class: 'type' }, 'one of'), list)
  }
  if (schema.type === 'array' && schema.prefixItems === undefined) {
    const items = schema.items || {}
    return el('div', {}, el('p', { class: 'type' }, 'list of'), schemaTree(items, schemas, depth))
  }
  if (schema.properties !== undefined) return fieldsOf(schema, schemas, depth)
  return el('p', { class: 'type' }, shortType(schema), schema.description === undefined ? undefined : ` · ${schema.description}`)
}

function fieldsOf({ properties = {}, required = [] }: Schema, schemas: Schemas, depth: number): HTMLElement {
  const list = el('dl', { class: 'fields' })
  for (const [name, field] of Object.entries(properties)) {
    const isDeep = isObject(field, schemas)
    const optional = required.includes(name) ? '' : ' · may be absent'
    list.append(
      el('dt', {}, el('code', {}, name), ` ${isDeep ? '' : shortType(field)}${optional}`),
      el('dd', {}, field.$ref === undefined ? (field.description ?? '') : '', isDeep && schemaTree(field, schemas, depth + 1)),
    )
  }
  return list
}

function isObject(schema: Schema, schemas: Schemas): boolean {
  if (schema.$ref !== undefined) {
    const target = schemas[nameOf(schema.$ref)]
    return target !== undefined && isObject(target, schemas)
  }
  if (schema.type === 'array') return schema.prefixItems === undefined && isObject(schema.items || {}, schemas)
  return schema.properties !== undefined || (schema.anyOf ?? schema.oneOf ?? []).some((one) => isObject(one, schemas))
}
