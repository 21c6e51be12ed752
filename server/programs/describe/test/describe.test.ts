import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptions } from '../all.ts'
import { codeTexts } from '../codes.ts'
import { apiDocument, textOfParam, weightOf } from '../document.ts'
import { listedRoutes } from '../listed.ts'

const routes = listedRoutes()
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`

test('API-DOCS-001: every route is described, and every description is of a route', () => {
  const served = new Set(routes.map(nameOf))
  const described = new Set(Object.keys(descriptions))
  assert.deepEqual(
    [...served].filter((name) => !described.has(name)),
    [],
    'without a description',
  )
  assert.deepEqual(
    [...described].filter((name) => !served.has(name)),
    [],
    'without a route',
  )
})

test('API-DOCS-002: every parameter has a meaning and allowed values, every route a weight', () => {
  const faults: string[] = []
  for (const route of routes) {
    const description = descriptions[nameOf(route)]
    if (!description) continue
    for (const [name, { shape }] of Object.entries(route.params)) {
      if (textOfParam(description, name) === undefined) faults.push(`${nameOf(route)}: no text of ${name}`)
      if (shape === undefined) faults.push(`${nameOf(route)}: no shape of ${name}`)
    }
    for (const name of Object.keys(description.params ?? {})) {
      if (!(name in route.params)) faults.push(`${nameOf(route)}: a text of ${name}, which it does not take`)
    }
    for (const name of [description.clientId, description.oneWith]) {
      if (name !== undefined && !(name in route.params)) faults.push(`${nameOf(route)}: no parameter ${name}`)
    }
    for (const code of description.codes ?? []) if (!(code in codeTexts)) faults.push(`${nameOf(route)}: no text of ${code}`)
    if ((weightOf(route) === undefined) !== (description.weight !== undefined)) faults.push(`${nameOf(route)}: its weight`)
    if (route.method !== 'GET' && !description.clientId && description.isRepeatable === undefined) {
      faults.push(`${nameOf(route)}: is it safe to send again?`)
    }
  }
  assert.deepEqual(faults, [])
})

test('API-DOCS-003: names of functions are unique in their group, and references resolve', () => {
  const names = Object.values(descriptions).map(({ group, name }) => `${group}.${name}`)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
  const document = apiDocument(routes, '1') as { readonly components: { readonly schemas: object } }
  const known = new Set(Object.keys(document.components.schemas))
  const used = new Set([...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1] as string))
  assert.deepEqual(
    [...used].filter((name) => !known.has(name)),
    [],
  )
  assert.doesNotMatch(JSON.stringify(document), /\$defs/)
})
