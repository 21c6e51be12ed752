import type { z } from 'zod'

/** True: the data fits the schema and comes out of it as it went in. False: nothing is known. */
export type QuickCheck = (data: unknown) => boolean

type Def = { readonly type: string } & Readonly<Record<string, unknown>>
type Part = { readonly _zod: { readonly def: Def } }

/**
 * A check that says yes to what most requests look like, many times faster than the schema itself, which stays the judge
 * of everything else and words every refusal. Undefined for a schema that has more than strict objects of plain texts,
 * words and booleans in its required parts.
 */
export function quickCheckOf(schema: z.ZodType): QuickCheck | undefined {
  return checkOf(schema as unknown as Part)
}

function checkOf({ _zod: { def } }: Part): QuickCheck | undefined {
  switch (def.type) {
    case 'object':
      return objectCheck(def)
    case 'string':
      return textCheck(def)
    case 'enum':
      return hasOnly(def, 'entries') ? wordCheck(Object.values(def['entries'] as object)) : undefined
    case 'boolean':
      return hasOnly(def) ? (data) => typeof data === 'boolean' : undefined
    default:
      return undefined
  }
}

function objectCheck(def: Def): QuickCheck | undefined {
  const isStrict = (def['catchall'] as Part | undefined)?._zod.def.type === 'never'
  if (!isStrict || !hasOnly(def, 'shape', 'catchall')) return undefined
  const checks = new Map<string, QuickCheck>()
  const required: string[] = []
  for (const [name, part] of Object.entries(def['shape'] as Readonly<Record<string, Part>>)) {
    const isOptional = part._zod.def.type === 'optional'
    const check = checkOf(isOptional ? (part._zod.def['innerType'] as Part) : part)
    if (!check && !isOptional) return undefined
    // A part that is too much for here and may be left out is left to the schema when it is there.
    checks.set(name, check ?? (() => false))
    if (!isOptional) required.push(name)
  }
  return (data) => {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
    for (const name of Object.keys(data)) {
      const check = checks.get(name)
      if (!check?.((data as Record<string, unknown>)[name])) return false
    }
    for (const name of required) if (!Object.hasOwn(data, name)) return false
    return true
  }
}

function textCheck(def: Def): QuickCheck | undefined {
  if (!hasOnly(def, 'checks')) return undefined
  const patterns: RegExp[] = []
  for (const { _zod } of (def['checks'] ?? []) as readonly { readonly _zod: { readonly def: Readonly<Record<string, unknown>> } }[]) {
    const { check, format, pattern } = _zod.def
    if (check !== 'string_format' || format !== 'regex' || !(pattern instanceof RegExp) || pattern.global || pattern.sticky)
      return undefined
    patterns.push(pattern)
  }
  return (data) => typeof data === 'string' && patterns.every((pattern) => pattern.test(data))
}

function wordCheck(words: readonly unknown[]): QuickCheck {
  const known = new Set(words)
  return (data) => known.has(data)
}

/** A definition with anything more (coercion, an own error, a further check) is not for here. */
function hasOnly(def: Def, ...names: readonly string[]): boolean {
  return Object.keys(def).every((name) => name === 'type' || names.includes(name))
}
