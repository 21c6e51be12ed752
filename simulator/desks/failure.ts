/** What an auditor of the desks found wrong: a bug of the exchange. */
export class DesksFailure extends Error {
  override readonly name = 'DesksFailure'
}

export function fail(what: string): never {
  throw new DesksFailure(what)
}
