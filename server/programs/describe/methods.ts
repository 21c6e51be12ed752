import { methodNames as byFamily } from '../socket/methods.ts'

/** The shortest name on the WebSocket API by `METHOD path`. */
export const methodNames: ReadonlyMap<string, string> = new Map(
  Object.values(byFamily).flatMap((names) => Object.entries(names).map(([name, place]) => [place, name] as const)),
)
