import type { Http } from './http.ts'

/** The functions of a column, without their first parameter. */
export type Bound<Column> = {
  readonly [Name in keyof Column]: Column[Name] extends (http: Http, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never
}

/** Turns a column into methods: an app that loads a product together with its screens binds the column there. */
export function bind<Column extends object>(column: Column, http: Http): Bound<Column> {
  const bound: Record<string, unknown> = {}
  for (const [name, endpoint] of Object.entries(column)) bound[name] = (...rest: unknown[]) => endpoint(http, ...rest)
  return bound as Bound<Column>
}
