import type { Place } from '../place.ts'

type Hook = (name: string) => Promise<void>

/** The same place, with something that happens before objects are put, listed or settled, or after they are read. */
export function hooked(
  place: Place,
  hooks: { readonly put?: Hook; readonly got?: Hook; readonly list?: Hook; readonly settle?: () => Promise<void> },
): Place {
  return {
    where: place.where,
    async put(name, bytes) {
      await hooks.put?.(name)
      await place.put(name, bytes)
    },
    async get(name) {
      const bytes = await place.get(name)
      await hooks.got?.(name)
      return bytes
    },
    delete: (name) => place.delete(name),
    async list(kind) {
      await hooks.list?.(kind)
      return place.list(kind)
    },
    async settle() {
      await place.settle()
      await hooks.settle?.()
    },
    clean: () => place.clean(),
  }
}
