import { codeBlock, el, prose } from './dom.ts'
import { samplesOf } from './samples.ts'
import { boundsOf, type Schema, type Schemas, schemaTree, shortType } from './schema.ts'
import { send } from './try.ts'

export type Parameter = {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

/** One route of either document, in the form that the page needs. */
export type Operation = {
  readonly isPrograms: boolean
  readonly method: string
  readonly path: string
  readonly group: string
  readonly name: string
  readonly summary: string
  readonly description: string | undefined
  readonly security: 'open' | 'key' | 'signed' | 'session'
  readonly scope: string | undefined
  readonly weight: number | string | undefined
  readonly codes: readonly number[]
  readonly codeTexts: Readonly<Record<string, string>>
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly answer: Schema | undefined
  readonly ccxt: string | undefined
  readonly socketMethod: string | undefined
  readonly example: Readonly<Record<string, string>>
}

const securityNames = { open: 'public', key: 'API key', signed: 'signed', session: 'session' } as const
/** Parameters that the signing code adds. */
const signingParameters = new Set(['timestamp', 'recvWindow'])

/** A route as a line that opens. Its content is built when it is opened for the first time. */
export function operationView(operation: Operation, schemas: Schemas): HTMLDetailsElement {
  const { method, path, summary, security } = operation
  const details = el(
    'details',
    { class: 'operation', id: `${method}-${path}` },
    el(
      'summary',
      {},
      el('span', { class: `method ${method.toLowerCase()}` }, method),
      el('code', { class: 'path' }, path),
      el('span', { class: 'about' }, summary),
      security !== 'open' && el('span', { class: 'door' }, securityNames[security]),
    ),
  )
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(inside(operation, schemas))
  })
  return details
}

function inside(operation: Operation, schemas: Schemas): HTMLElement {
  const { description, security, scope, weight, codes, codeTexts, answer, socketMethod } = operation
  const facts = [
    securityNames[security],
    scope === undefined ? '' : `scope ${scope}`,
    weight === undefined ? '' : `weight ${weight}`,
    socketMethod === undefined ? '' : `WebSocket API: ${socketMethod}`,
  ].filter((fact) => fact !== '')
  const errors = el('ul', { class: 'codes' })
  for (const code of codes) errors.append(el('li', {}, el('code', {}, String(code)), ` ${codeTexts[String(code)] ?? ''}`))
  return el(
    'div',
    { class: 'inside' },
    ...(description === undefined ? [] : prose(description)),
    el('p', { class: 'facts' }, facts.join(' · ')),
    tryIt(operation),
    answer !== undefined && el('h3', {}, 'Answer'),
    answer !== undefined && schemaTree(answer, schemas),
    codes.length > 0 && el('details', {}, el('summary', {}, 'Errors'), errors),
  )
}

/** The parameters as a form that fills in the samples and sends the request. */
function tryIt(operation: Operation): HTMLElement {
  const { parameters, body, example, isPrograms } = operation
  const values: Record<string, string> = { ...example }
  const form = el('form', {})
  const samples = el('div', { class: 'samples' })
  const outcome = el('div', { class: 'outcome', 'aria-live': 'polite' })
  let shown = 'curl'

  function refresh(): void {
    const texts = samplesOf(operation, values, location.origin)
    const tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Language' })
    for (const name of Object.keys(texts)) {
      const tab = el('button', { type: 'button', 'aria-pressed': String(name === shown) }, name)
      tab.addEventListener('click', () => {
        shown = name
        refresh()
      })
      tabs.append(tab)
    }
    samples.replaceChildren(tabs, codeBlock(texts[shown] ?? ''))
  }
  const setValue = (name: string, text: string): void => {
    if (text === '') delete values[name]
    else values[name] = text
    refresh()
  }

  for (const parameter of parameters) {
    if (isPrograms && signingParameters.has(parameter.name)) continue
    form.append(fieldOf(parameter, values[parameter.name] ?? '', setValue))
  }
  if (body !== undefined) {
    const area = el('textarea', { rows: '4', spellcheck: 'false' })
    area.value = JSON.stringify(sampleOf(body), null, 2)
    values['body'] = area.value
    area.addEventListener('input', () => setValue('body', area.value))
    form.append(el('label', {}, el('span', {}, 'Body (JSON)'), area))
  }
  const button = el('button', { type: 'submit', class: 'send' }, 'Send')
  form.append(button)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    void send(operation, values).then((view) => {
      outcome.replaceChildren(view)
      button.disabled = false
    })
  })
  refresh()
  return el('div', {}, el('h3', {}, 'Try it'), form, outcome, samples)
}

function fieldOf(
  { name, required, description, schema }: Parameter,
  value: string,
  setValue: (name: string, text: string) => void,
): HTMLElement {
  const hint = [schema.enum === undefined ? shortType(schema) : '', boundsOf(schema), description ?? '']
    .filter((part) => part !== '')
    .join(' · ')
  const title = el('span', {}, el('code', {}, name), required ? el('b', {}, ' required') : undefined)
  let input: HTMLInputElement | HTMLSelectElement
  if (schema.enum === undefined) {
    input = el('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      inputmode: schema.type === 'integer' ? 'numeric' : undefined,
    })
    input.value = value
  } else {
    input = el('select', {}, el('option', { value: '' }, '–'))
    for (const word of schema.enum) input.append(el('option', { value: String(word), selected: String(word) === value }, String(word)))
  }
  const field = input
  field.addEventListener('input', () => setValue(name, field.value.trim()))
  return el('label', {}, title, field, el('small', {}, hint))
}

/** A first value that fits the schema. */
function sampleOf(schema: Schema): unknown {
  if (schema.properties !== undefined) {
    const needed = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name))
    return Object.fromEntries(needed.map(([name, field]) => [name, sampleOf(field)]))
  }
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === 'boolean') return false
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0
  return schema.type === 'array' ? [] : ''
}
