/**
 * Prints the modules of `client/program/printed`, one for each group of the programs' API: types and functions from the routes and
 * their descriptions. `node tools/tidy/print.ts` writes them; a test compares them with the routes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument } from '@candor/server/programs/describe/document.ts'
import { groups } from '@candor/server/programs/describe/describe.ts'
import { listedRoutes } from '@candor/server/programs/describe/listed.ts'
import type { Schema, Schemas } from '@candor/client/docs/schema.ts'
import { methodNames } from '@candor/server/programs/describe/methods.ts'
import { root } from './tidy/files.ts'

type Parameter = { readonly name: string; readonly required: boolean; readonly description?: string; readonly schema: Schema }
type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': { readonly schema: Schema } } } }
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-weight': number | string
  readonly 'x-scope'?: string
  readonly 'x-one-with'?: string
  readonly 'x-client-id'?: string
  readonly 'x-repeatable'?: true
  readonly 'x-socket-method'?: string
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Schemas }
}
type Listed = { readonly method: string; readonly path: string; readonly operation: Operation }

const folder = 'client/program/printed'
const note = '// Printed from the routes of the exchange: node tools/tidy/print.ts\n'
/** Types that `call.ts` exports. */
const basics = ['Decimal', 'Millis']
/** Parameters that the client adds to each signed request. */
const own = new Set(['timestamp', 'recvWindow'])

/** Text of each file by its path, formatted like the other sources. */
export function printedClient(): ReadonlyMap<string, string> {
  return new Map([...unformatted()].map(([path, text]) => [path, formatted(path, text)]))
}

/** One sentence for each module that differs from the routes. */
export function printedClientFaults(): readonly string[] {
  const printed = printedClient()
  const stale = [...printed].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text)
  const left = readdirSync(join(root, folder)).filter((name) => !printed.has(`${folder}/${name}`))
  return [
    ...stale.map(([path]) => `${path} differs from the routes: run node tools/tidy/print.ts`),
    ...left.map((name) => `${folder}/${name} is of no group of routes`),
  ]
}

function formatted(path: string, text: string): string {
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
  const done = spawnSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], { cwd: root, input: text, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
}

function unformatted(): ReadonlyMap<string, string> {
  const document = apiDocument(listedRoutes(), '', methodNames) as unknown as Document
  const byGroup = new Map<string, Listed[]>(Object.keys(groups).map((group) => [group, []]))
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      byGroup.get(operation.operationId.split('.')[0] as string)?.push({ method: method.toUpperCase(), path, operation })
    }
  }
  const { schemas } = document.components
  const usedBy = new Map<string, Set<string>>()
  for (const [group, listed] of byGroup) {
    for (const { operation } of listed) {
      for (const name of reached(operation.responses[200].content['application/json'].schema, schemas)) {
        const users = usedBy.get(name) ?? new Set()
        usedBy.set(name, users.add(group))
      }
    }
  }
  const files = new Map<string, string>()
  const shared = [...usedBy].flatMap(([name, users]) => (users.size > 1 && !basics.includes(name) ? [name] : [])).sort()
  const isShared = new Set(shared)
  files.set(`${folder}/shared.ts`, moduleOf(shared.map((name) => typeLine(name, schemas)).join('\n\n'), new Set(), isShared))
  for (const [group, listed] of byGroup) {
    if (listed.length === 0) continue
    const types = [...usedBy].flatMap(([name, users]) => (users.has(group) && !isShared.has(name) && !basics.includes(name) ? [name] : []))
    const text = [...types.sort().map((name) => typeLine(name, schemas)), ...listed.map(functionOf)].join('\n\n')
    files.set(`${folder}/${fileName(group)}.ts`, moduleOf(text, isShared))
  }
  return files
}

/** The file name of a group: `futuresMarket` gives `futures-market`. */
export function fileName(group: string): string {
  return group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function moduleOf(text: string, shared: ReadonlySet<string>, itself: ReadonlySet<string> = new Set()): string {
  const uses = (name: string) => new RegExp(`\\b${name}\\b`).test(text)
  const imports = ['Call', 'CallOptions', ...basics].filter(uses)
  const others = [...shared].filter((name) => !itself.has(name) && uses(name))
  const lines = [
    ...(imports.length > 0 ? [`import type { ${imports.join(', ')} } from '../call.ts'`] : []),
    ...(others.length > 0 ? [`import type { ${others.join(', ')} } from './shared.ts'`] : []),
  ]
  return `${[note.trimEnd(), lines.join('\n'), text].filter((part) => part !== '').join('\n\n')}\n`
}

/** Names of all schemas that this one refers to, directly or not. */
function reached(schema: unknown, schemas: Schemas, found = new Set<string>()): ReadonlySet<string> {
  for (const match of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const name = match[1] as string
    if (found.has(name)) continue
    found.add(name)
    reached(schemas[name], schemas, found)
  }
  return found
}

function typeLine(name: string, schemas: Schemas): string {
  const schema = schemas[name] as Schema
  return `${comment(schema.description ? [schema.description] : [])}export type ${name} = ${typeOf(schema, 0)}`
}

function comment(lines: readonly string[], indent = ''): string {
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

/** The TypeScript type of a schema. */
function typeOf(schema: Schema, depth: number): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string
  if (schema.not !== undefined) return 'never'
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, depth)).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((word) => literal(word)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.prefixItems !== undefined) return `readonly [${schema.prefixItems.map((one) => typeOf(one, depth)).join(', ')}]`
  if (schema.type === 'array') {
    const item = typeOf(schema.items || {}, depth)
    return / [|&] /.test(item) || item.startsWith('readonly ') ? `readonly (${item})[]` : `readonly ${item}[]`
  }
  if (schema.type === 'object') return objectOf(schema, depth)
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type
  return schema.type === 'integer' || schema.type === 'number' ? 'number' : 'unknown'
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value))

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, depth: number): string {
  const indent = '  '.repeat(depth + 1)
  const fields = Object.entries(properties)
  if (fields.length === 0) {
    return typeof additionalProperties === 'object'
      ? `Readonly<Record<string, ${typeOf(additionalProperties, depth)}>>`
      : 'Readonly<Record<string, never>>'
  }
  const lines = fields.map(([name, schema]) => {
    const isNamed = schema.$ref !== undefined
    const said = !isNamed && schema.description !== undefined ? comment([schema.description], indent) : ''
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${said}${indent}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, depth + 1)}`
  })
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
}

function functionOf({ method, path, operation }: Listed): string {
  const name = operation.operationId.split('.')[1] as string
  const parameters = operation.parameters.filter((one) => !own.has(one.name))
  const { security = [] } = operation
  const isSigned = security.some((one) => 'signature' in one)
  const place = [
    `method: '${method}'`,
    `path: '${path}'`,
    ...(security.length === 0 ? [] : [`security: '${isSigned ? 'signed' : 'key'}'`]),
    ...(operation['x-client-id'] === undefined ? [] : [`clientId: '${operation['x-client-id']}'`]),
    ...(operation['x-repeatable'] ? ['isRepeatable: true'] : []),
    ...(operation['x-socket-method'] === undefined ? [] : [`socket: '${operation['x-socket-method']}'`]),
  ]
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Params`
  const isNeeded = parameters.some(({ required }) => required)
  const weight = typeof operation['x-weight'] === 'number' ? String(operation['x-weight']) : `${operation['x-weight']}`
  const scope = operation['x-scope']
  const said = comment([
    operation.summary,
    ...(operation.description === undefined ? [] : ['', operation.description]),
    '',
    `${method} ${path} · weight ${weight}${scope === undefined ? '' : ` · a key that may ${scope}`}`,
  ])
  const answer = operation.responses[200].content['application/json'].schema
  const args = (params: string, isOptional: boolean) =>
    parameters.length === 0 ? 'call: Call' : `call: Call, params${isOptional ? '?' : ''}: ${params}`
  const route = `{ ${place.join(', ')} }`
  const types = parameters.length === 0 ? '' : `${paramsType(type, parameters)}\n\n`
  const oneWith = operation['x-one-with']
  if (oneWith !== undefined) {
    const one = typeOf((answer.anyOf as readonly Schema[])[0] as Schema, 0)
    const named = `${type} & { readonly ${oneWith}: string }`
    return [
      `${types}${said}export function ${name}(${args(named, false)}, options?: CallOptions): Promise<${one}>`,
      `export function ${name}(${args(type, true)}, options?: CallOptions): Promise<readonly ${one}[]>`,
      `export function ${name}(call: Call, params: ${type} = {}, options?: CallOptions): Promise<unknown> {`,
      `  return call(${route}, params, options)\n}`,
    ].join('\n')
  }
  const params = parameters.length === 0 ? args('', true) : isNeeded ? args(type, false) : `call: Call, params: ${type} = {}`
  return `${types}${said}export function ${name}(${params}, options?: CallOptions): Promise<${typeOf(answer, 0)}> {\n  return call(${route}, ${parameters.length === 0 ? '{}' : 'params'}, options)\n}`
}

function paramsType(type: string, parameters: readonly Parameter[]): string {
  const lines = parameters.flatMap(({ name, required, description, schema }) => {
    const normal = schema.default === undefined ? '' : ` Default: ${String(schema.default)}.`
    return [
      `  /** ${description ?? ''}${normal} */`,
      `  readonly ${name}${required ? '' : '?'}: ${paramTypeOf(schema)}${required ? '' : ' | undefined'}`,
    ]
  })
  return `export type ${type} = {\n${lines.join('\n')}\n}`
}

function paramTypeOf(schema: Schema): string {
  if (schema.contentSchema !== undefined) return typeOf(schema.contentSchema, 1)
  const isFlag = schema.enum?.every((word) => /^(true|false)$/i.test(String(word)))
  return isFlag ? 'boolean' : typeOf(schema, 1)
}
