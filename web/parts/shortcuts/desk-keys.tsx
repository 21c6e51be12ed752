/** Keys for people with a keyboard. Phones load nothing but this file. */
import { type ComponentType, useEffect, useState } from 'react'
import { loadArea } from '../../app/texts.ts'
import { useIsWide } from '../../app/wide/use-is-wide.ts'

/** Once loaded: another market makes a new desk, whose keys are there at once. */
let loaded: ComponentType | undefined

const load = async (): Promise<ComponentType> => {
  const [module] = await Promise.all([import('./listener.tsx'), loadArea('shortcuts')])
  loaded = module.Listener
  return loaded
}

/** The keys of the desk that is shown: in a wide window at once, in a narrow one with the first key outside of a field. */
export function DeskKeys() {
  const [Listener, setListener] = useState(() => loaded)
  // Wide windows have a keyboard most of the time.
  const isWide = useIsWide()
  useEffect(() => {
    let isGone = false
    const start = (): void => {
      // Without its file there are no keys. The next visit of the desk asks again.
      load().then(
        (found) => !isGone && setListener(() => found),
        () => undefined,
      )
    }
    const pressed = ({ target }: KeyboardEvent): void => {
      // Only a real keyboard types outside of fields.
      if (target !== document.body) return
      removeEventListener('keydown', pressed)
      start()
    }
    if (isWide) start()
    else addEventListener('keydown', pressed)
    return () => {
      isGone = true
      removeEventListener('keydown', pressed)
    }
  }, [isWide])
  return Listener === undefined ? null : <Listener />
}
