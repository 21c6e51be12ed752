/** A violation found by an auditor of the desks, which means a bug in the exchange. */
export class DesksFailure extends Error {
  override readonly name = 'DesksFailure'
}

export function fail(what: string): never {
  throw new DesksFailure(what)
}
