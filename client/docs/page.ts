import { el, prose } from './dom.ts'
import { operationView, type Operation, type Parameter } from './operation.ts'
import type { Schema, Schemas } from './schema.ts'
import { credentialFields } from './try.ts'

type OpenApiOperation = {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly 'x-weight'?: number | string
  readonly 'x-scope'?: string
  readonly 'x-codes'?: readonly number[]
  readonly 'x-ccxt'?: string
  readonly 'x-socket-method'?: string
  readonly 'x-example'?: Readonly<Record<string, string>>
}
type OpenApiDocument = {
  readonly info: { readonly title: string; readonly description: string; readonly version: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas?: Schemas }
  readonly 'x-codes'?: Readonly<Record<string, string>>
}

const documents = [
  { hash: '#programs', title: 'For programs', url: '/openapi-api.json', isPrograms: true },
  { hash: '#app', title: 'For the app', url: '/openapi.json', isPrograms: false },
] as const

const main = document.getElementById('main') as HTMLElement
const search = document.getElementById('search') as HTMLInputElement
const nav = document.getElementById('documents') as HTMLElement
for (const { hash, title } of documents) nav.append(el('a', { href: hash }, title))

let isShown: (typeof documents)[number] | undefined

async function show(): Promise<void> {
  const chosen = documents.find(({ hash }) => location.hash === hash || location.hash.startsWith(`${hash}/`)) ?? documents[0]
  for (const link of nav.querySelectorAll('a')) {
    if (link.getAttribute('href') === chosen.hash) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (isShown === chosen) return
  isShown = chosen
  try {
    const described = (await (await fetch(chosen.url)).json()) as OpenApiDocument
    if (isShown === chosen) draw(described, chosen.isPrograms, chosen.url)
  } catch (error) {
    isShown = undefined
    main.replaceChildren(el('p', { class: 'bad', role: 'alert' }, `The description can’t be loaded: ${String(error)}`))
  }
}

function draw(described: OpenApiDocument, isPrograms: boolean, url: string): void {
  const schemas = described.components.schemas ?? {}
  const groups = new Map<string, HTMLElement>()
  const titles = new Map((described.tags ?? []).map(({ name, description }) => [name, description ?? name]))
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, one] of Object.entries(methods)) {
      const operation = operationOf(path, method, one, described, isPrograms)
      let section = groups.get(operation.group)
      if (section === undefined) {
        section = el('section', {}, el('h2', {}, titles.get(operation.group) ?? operation.group))
        groups.set(operation.group, section)
      }
      section.append(operationView(operation, schemas))
    }
  }
  const order = [...titles.keys()]
  const sections = [...groups].toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([, section]) => section)
  main.replaceChildren(
    el(
      'div',
      { class: 'intro' },
      ...prose(described.info.description),
      el('p', {}, `Version ${described.info.version} · `, el('a', { href: url }, 'OpenAPI')),
    ),
    ...(isPrograms ? [credentialFields()] : [el('p', { class: 'facts' }, 'Requests of this page use your session if you are logged in.')]),
    ...sections,
  )
  filter()
}

function operationOf(path: string, method: string, one: OpenApiOperation, described: OpenApiDocument, isPrograms: boolean): Operation {
  const [group = 'other', name = ''] = isPrograms ? (one.operationId ?? '').split('.') : [one.tags?.[0] ?? 'other', '']
  const security = one.security?.[0]
  const content = Object.entries(one.responses).find(([status]) => status.startsWith('2'))?.[1].content
  return {
    isPrograms,
    method: method.toUpperCase(),
    path,
    group,
    name,
    summary: one.summary ?? '',
    description: one.description,
    security: security === undefined ? 'open' : 'session' in security ? 'session' : 'signature' in security ? 'signed' : 'key',
    scope: one['x-scope'],
    weight: one['x-weight'],
    codes: one['x-codes'] ?? [],
    codeTexts: described['x-codes'] ?? {},
    parameters: one.parameters ?? [],
    body: resolved(one.requestBody?.content['application/json']?.schema, described.components.schemas),
    answer: Object.values(content ?? {})[0]?.schema,
    ccxt: one['x-ccxt'],
    socketMethod: one['x-socket-method'],
    example: one['x-example'] ?? {},
  }
}

function resolved(schema: Schema | undefined, schemas: Schemas = {}): Schema | undefined {
  return schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']
}

/** Hides routes that don't contain all of the typed words. */
function filter(): void {
  const words = search.value.toLowerCase().split(/\s+/)
  for (const section of main.querySelectorAll('section')) {
    let isAny = false
    for (const operation of section.querySelectorAll<HTMLElement>('.operation')) {
      const text = (operation.querySelector('summary')?.textContent ?? '').toLowerCase()
      operation.hidden = !words.every((word) => text.includes(word))
      if (!operation.hidden) isAny = true
    }
    section.hidden = !isAny
  }
}

search.addEventListener('input', filter)
addEventListener('hashchange', () => void show())
void show()
